import { onOneLine } from "../../prompt/fence-text.ts";
import { tellChecks, tellOutput } from "../../prompt/render-evidence.ts";
import { evidenceOf } from "../../recover/evidence-of.ts";
import type { RedCheck } from "./read-red-check.ts";

/** Maximum length of the text, in characters, as for a failed Verify in a prompt. */
const room = 6000;
/** Share of the length for failures. */
const shareOfChecks = 0.7;
/** Maximum length of one annotation, in characters. */
const longestNote = 300;

/** Describe a red check like a failed Verify: failures with places and values, and the output. */
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
  const notes = noted.length === 0 ? [] : [["Annotations of the check:", ...noted].join("\n")];
  const told = [...count, ...checks, ...notes];
  const left = room - told.reduce((sum, part) => sum + part.length + 2, 0);
  return [...told, ...tellOutput({ command: run }, left)].join("\n\n");
}
