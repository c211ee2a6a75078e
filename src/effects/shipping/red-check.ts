import { digestOutput } from "../../digest/digest-output.ts";
import { readCheckLog } from "../../digest/read-check-log.ts";
import type { Answer, EffectInput } from "../../model/effect.ts";
import type { OutputDigest } from "../../model/failure-set.ts";
import type { Check } from "../../model/pull-request.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { onOneLine } from "../../prompt/fence-text.ts";
import { renderChecks, renderOutput } from "../../prompt/render-evidence.ts";
import { evidenceOf } from "../../recover/evidence-of.ts";
import { failsWithin, namesOf, type RedNames, readCheckFailure } from "../../recover/red-check.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, shipping } from "./shipping-ports.ts";

interface RedCheck extends RedNames {
  readonly kind: "read";
  readonly error: string;
  readonly output: string;
  readonly digest: OutputDigest | null;
  readonly annotations: readonly string[];
}

/** Read the failure of a red check from its log, else from its own summary. */
export async function readRedCheck(
  forge: Forge,
  { id, job, summary }: Check,
  signal: AbortSignal,
): Promise<RedCheck | Hindered> {
  const log = job === null ? nothing : await forge.log(job, signal);
  if (log.kind === "hindered") return log;
  const { log: text, step, annotations } = log.kind === "refused" ? nothing : log;
  const failed = text === null ? null : readCheckLog(text, step);
  const digest = failed === null ? null : digestOutput(failed.output, { folder: failed.folder });
  const error = readCheckFailure(id, { digest, annotations, summary });
  return { kind: "read", error, output: failed?.output ?? "", digest, annotations, ...namesOf(error, digest) };
}

const nothing = { kind: "log" as const, log: null, step: null, annotations: [] as readonly string[] };

/**
 * Whether all failures of `one` are also failures of `other`. False without a log, since a missing log must not stop
 * the run.
 */
export const isWithin = (one: RedCheck | Hindered | Refused, other: RedCheck | Hindered | Refused): boolean =>
  one.kind === "read" && other.kind === "read" && failsWithin(one, other);

/** Maximum length of the text, in characters, as for a failed Verify in a prompt. */
const room = 6000;
const shareOfChecks = 0.7;
const longestNote = 300;

/** Describe a red check like a failed Verify: failures with places and values, and the output. */
export function renderRedCheck({ digest, annotations }: Pick<RedCheck, "digest" | "annotations">): string {
  const { command } = evidenceOf({
    run: { command: "", result: { exitCode: null, timedOut: false }, digest },
    ...{ claim: "", findings: "" },
  });
  const run = command as NonNullable<typeof command>;
  const failed = digest?.failed ?? run.failures.length;
  const count = digest?.ran == null ? [] : [`Failing: ${failed} of ${digest.ran}`];
  const checks = run.failures.length === 0 ? [] : [renderChecks(run, failed, room * shareOfChecks)];
  const noted = annotations.map((note) => `- ${onOneLine(note, longestNote)}`);
  const notes = noted.length === 0 ? [] : [["Annotations of the check:", ...noted].join("\n")];
  const told = [...count, ...checks, ...notes];
  const left = room - told.reduce((sum, part) => sum + part.length + 2, 0);
  return [...told, ...renderOutput({ command: run }, left)].join("\n\n");
}

/** Rerun a red check. The forge reruns a check once per head, however often it is asked. */
export async function rerunCheck(
  ports: WholePorts,
  { key, check, job, head }: EffectInput<"rerunCheck">,
  signal: AbortSignal,
): Promise<Answer<"rerunCheck">> {
  ports.attempts.record([{ type: "shipping", key, act: "rerun", target: check }]);
  const outcome = await shipping(ports).forge.rerun({ job, head }, signal);
  // A check that cannot be rerun keeps its result.
  return outcome.kind === "hindered" ? asAnswer(outcome) : { kind: "rerun", check };
}

export async function updateBranch(
  ports: WholePorts,
  { number, head }: EffectInput<"updateBranch">,
  signal: AbortSignal,
): Promise<Answer<"updateBranch">> {
  const outcome = await shipping(ports).forge.updateBranch(number, head, signal);
  return outcome.kind === "done" ? outcome : asAnswer(outcome);
}
