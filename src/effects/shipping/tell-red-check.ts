import { onOneLine } from "../../prompt/fence-text.ts";
import { tellChecks, tellOutput } from "../../prompt/render-evidence.ts";
import { evidenceOf } from "../../recover/evidence-of.ts";
import type { RedCheck } from "./read-red-check.ts";

/** Characters of all of it: what a prompt has for the failure of a Verify. Shares of it for what failed, and for one note. */
const room = 6000;
const shareOfChecks = 0.7;
const longestNote = 300;

/** What a red check tells of its failure, as a Verify does: what failed with places and values, and its output. */
export function tellRedCheck({ digest, annotations }: Pick<RedCheck, "digest" | "annotations">): string {
  const { command } = evidenceOf({
    run: { command: "", result: { exitCode: null, timedOut: false }, digest },
    ...{ claim: "", findings: "" },
  });
  const run = command as NonNullable<typeof command>;
  const failed = digest?.failed ?? run.failures.length;
  const count = digest?.ran == null ? [] : [`Failing: ${failed} of ${digest.ran}`];
  const checks = run.failures.length === 0 ? [] : [tellChecks(run, failed, room * shareOfChecks)];
  const noted = annotations.map((note) => `- ${onOneLine(note, longestNote)}`);
  const notes = noted.length === 0 ? [] : [["The check points at:", ...noted].join("\n")];
  const told = [...count, ...checks, ...notes];
  const left = room - told.reduce((sum, part) => sum + part.length + 2, 0);
  return [...told, ...tellOutput({ command: run }, left)].join("\n\n");
}
