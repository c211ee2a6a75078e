import type { Answer, EffectInput } from "../model/effect.ts";
import { attemptOf } from "../model/reply.ts";
import type { StuckReport } from "../model/stuck-report.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { progressOf } from "../recover/escalation.ts";
import { renderStuckReport } from "../wording/report/render-stuck-report.ts";
import { findingsOf, outputOf } from "./failure-of.ts";
import { findTask } from "./find-task.ts";
import { rerunsFirst } from "./reruns-first.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Write a report on a stuck task for a person. A start that only repeats an unanswered question keeps the existing
 * report, since it knows less about the attempts.
 */
export async function writeStuckReport(
  ports: WholePorts,
  input: EffectInput<"writeStuckReport">,
): Promise<Answer<"writeStuckReport">> {
  const { attempts, documents, plan } = ports;
  const standing = attempts.reported().get(input.root);
  const isAsked = input.escalation.asked && !attempts.knows(attemptOf(input.key));
  const path =
    isAsked && standing !== undefined
      ? standing
      : await plan.exclusively(async () => {
          return documents.report(renderStuckReport(await stuckReportOf(ports, input)), input.path);
        });
  return { kind: "written", path };
}

export async function stuckReportOf(
  ports: WholePorts,
  { key, task: current, root, escalation, stuck, repairs, fixes }: Omit<EffectInput<"writeStuckReport">, "path">,
): Promise<StuckReport> {
  const { plan, attempts, clock, spec = "" } = ports;
  const { tasks } = (await plan.known()).plan;
  const { id, title, phase } = await findTask(ports, root);
  const made = attempts.knows(attemptOf(key)) ? await attempts.recall(attemptOf(key)) : null;
  const failure = made?.failure ?? null;
  const { pivots, researches, races, failures, earlier = 0, approaches, findings } = escalation;
  const { lastError, sameErrors, admission } = escalation;
  return {
    at: clock.now(),
    address: addressIn(ports),
    task: { id, title, current },
    phase,
    done: tasks.filter(({ done }) => done).length,
    total: tasks.length,
    ...{
      failures,
      earlier,
      pivots,
      researches,
      races,
      approaches,
      findings,
      fixes,
      repairs,
      stuck,
      sameErrors,
      admission,
    },
    progress: progressOf(escalation),
    failing: escalation.change === null ? [] : (escalation.evidence?.command?.failures ?? []).map(({ id }) => id),
    lastError: failure?.error ?? lastError,
    rejected: escalation.rejected ?? null,
    status: failure === null || failure.unstated?.includes("status") === true ? null : failure.status,
    changed: made?.judgement?.evidence.git?.changed ?? null,
    verify: verifyIn(made),
    isRerun: (await rerunsFirst(ports))(root),
    errorLog: made === null ? "" : errorLogOf(made),
    contextFiles: [
      { name: "Plan", path: `${spec}/tasks.md` },
      { name: "Progress", path: `${spec}/.progress.md` },
      { name: "State", path: `${spec}/.ralph-state.json` },
    ],
  };
}

/**
 * The review findings, if there was a review. Otherwise the output of the failed command, or the final message if no
 * command failed.
 */
function errorLogOf({ reply, review, judgement, verify, reality }: AttemptRecord): string {
  if (review !== null) return findingsOf(review);
  const failed = judgement?.layers.find(({ kind }) => kind === "failed")?.layer ?? "signal";
  return failed === "signal" ? reply.text : outputOf(failed === "reality" ? reality : verify);
}

function verifyIn(made: AttemptRecord | null): StuckReport["verify"] {
  if (made === null || made.verify === null) return null;
  const { command, result } = made.verify;
  return { command, exitCode: result.exitCode, output: `${result.stdout}${result.stderr}` };
}
