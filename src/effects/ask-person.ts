import type { SpecAddress } from "../model/command-line.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { Escalation } from "../model/escalation.ts";
import type { TaskId } from "../model/task-id.ts";
import { lineageIn } from "../recover/check-limit.ts";
import { expectedOf } from "../recover/expected-of.ts";
import { explainQuestion } from "../wording/explain-question.ts";
import { type AskedQuestion, questionHints } from "../wording/question-hints.ts";
import { renderCheckpoint } from "../wording/report/render-checkpoint.ts";
import { findTask } from "./find-task.ts";
import { addressIn } from "./spec-paths.ts";
import { stuckReportOf } from "./stuck-report-of.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Ask a person how to go on: with a task that could not be repaired, or from a checkpoint. Where nobody is there the
 * run stops with the question, which the next start asks again.
 */
export async function askPerson(
  ports: WholePorts,
  input: EffectInput<"askPerson">,
  signal: AbortSignal,
): Promise<Answer<"askPerson">> {
  const { attempts, person } = ports;
  const { root, about } = input;
  // The report of a checkpoint is about the planned task.
  const current = about === "checkpoint" ? root : input.task;
  await summarizeRetries(ports, input);
  const text = await tell[about](ports, input);
  // A person may take long.
  const resume = attempts.pause();
  try {
    const answer = (await person?.({ task: root, current, about, text }, signal)) ?? null;
    signal.throwIfAborted();
    const hint = hintFor({ task: current, root, about }, addressIn(ports));
    return answer ?? { kind: "gate", reason: text, hint };
  } finally {
    resume();
  }
}

/** The message of a checkpoint has the other answers itself. */
const hintFor = (question: AskedQuestion, address: SpecAddress): string => {
  const hints = questionHints(question, address, true);
  return (question.about === "checkpoint" ? hints.slice(0, 1) : hints).join("\n");
};

const tell = {
  checkpoint: tellCheckpoint,
  repair: tellFailure,
  blocked: async (_ports: WholePorts, { task, question }: EffectInput<"askPerson">) =>
    `The executor of task ${task} asks: ${question ?? "a person has to decide"}`,
  environment: async (_ports: WholePorts, { task, question, tooLong = false }: EffectInput<"askPerson">) =>
    tooLong
      ? `Nothing is left to leave out for task ${task}: ${question ?? "not known"}`
      : `Three tasks in a row failed for the same reason; the last was ${task}: ${question ?? "not known"}`,
} as const;

async function tellCheckpoint(ports: WholePorts, input: EffectInput<"askPerson">): Promise<string> {
  const path = input.report ?? "";
  return renderCheckpoint({ ...(await stuckReportOf(ports, { ...input, stuck: null, fixes: [] })), path });
}

async function tellFailure(
  ports: WholePorts,
  { task: id, root, escalation, repairs }: EffectInput<"askPerson">,
): Promise<string> {
  const task = await findTask(ports, id);
  const actual = escalation.lastError ?? "nothing is recorded";
  return explainQuestion({ task, root, expected: expectedOf(task), actual, repairs });
}

/** Retries that have not helped, into the summary: they end with a person, or with a level that came before. */
async function summarizeRetries(
  { attempts, documents, plan }: WholePorts,
  { task: current, root, repairs, escalation }: EffectInput<"askPerson">,
): Promise<void> {
  const level = levelAfterRetries(escalation);
  // All others are done: only the task that is up has not been helped, nor what it is a part or a fix of.
  const lineage = lineageIn(attempts.spent(root), current);
  const isOpen = (task: TaskId): boolean => lineage.includes(task);
  const retried = repairs
    .filter(({ task, directive }) => directive.strategy === "retry" && isOpen(task))
    .map(({ task }) => task);
  for (const task of new Set(retried)) {
    const attempts = retried.filter((other) => other === task).length;
    await plan.exclusively(() => documents.summarize({ kind: "exhausted", task, attempts, level }));
  }
}

/** The level that a tree was climbed to before a person was asked; null at none. */
function levelAfterRetries({ level, pivots, researches }: Escalation): "pivot" | "research" | null {
  if (level === "normal") return null;
  return pivots > 0 ? "pivot" : researches > 0 ? "research" : null;
}
