import { renderCheckpoint } from "../markdown/report/render-checkpoint.ts";
import type { SpecAddress } from "../model/command-line.ts";
import type { Repair } from "../model/directive.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { expectedOf } from "../recover/expected-of.ts";
import { explainQuestion } from "../recover/explain-question.ts";
import { questionHints } from "../recover/question-hints.ts";
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
  await summarizeRetries(ports, input.repairs);
  const text = await tell[about](ports, input);
  // A person may take long.
  const resume = attempts.pause();
  try {
    const answer = (await person?.({ task: root, about, text }, signal)) ?? null;
    signal.throwIfAborted();
    const given = answer ?? { kind: "gate" as const, reason: text, hint: hintFor(about, addressIn(ports)) };
    attempts.keepAnswer(root, given);
    return given;
  } finally {
    resume();
  }
}

/** The message of a checkpoint has the other answers itself. */
const hintFor = (about: EffectInput<"askPerson">["about"], address: SpecAddress): string => {
  const hints = questionHints(about, address, true);
  return (about === "checkpoint" ? hints.slice(0, 1) : hints).join("\n");
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
  return renderCheckpoint({ ...(await stuckReportOf(ports, { ...input, fixes: [] })), path });
}

async function tellFailure(
  ports: WholePorts,
  { task: id, escalation, repairs }: EffectInput<"askPerson">,
): Promise<string> {
  const task = await findTask(ports, id);
  const actual = escalation.lastError ?? "nothing is recorded";
  return explainQuestion({ task, expected: expectedOf(task), actual, repairs });
}

/** Retries that have not helped, into the summary: they end with a person. */
async function summarizeRetries({ documents, plan }: WholePorts, repairs: readonly Repair[]): Promise<void> {
  const retried = repairs.filter(({ directive }) => directive.strategy === "retry").map(({ task }) => task);
  for (const task of new Set(retried)) {
    const attempts = retried.filter((other) => other === task).length;
    await plan.exclusively(() => documents.summarize({ kind: "exhausted", task, attempts }));
  }
}
