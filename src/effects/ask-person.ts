import type { Answer, EffectInput } from "../model/effect.ts";
import { type Escalation, firstLevel } from "../model/escalation.ts";
import type { LevelRung } from "../model/rung.ts";
import { lineageIn } from "../recover/check-limit.ts";
import { expectedOf } from "../recover/evidence-of.ts";
import { type AskedQuestion, explainQuestion, questionHints } from "../wording/explain-question.ts";
import { renderCheckpoint } from "../wording/report/render-checkpoint.ts";
import { findTask } from "./find-task.ts";
import { summarizeRetries } from "./record-pass.ts";
import { rerunsFirst } from "./reruns-first.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";
import { stuckReportOf } from "./write-stuck-report.ts";

/**
 * Ask a person how to continue with a task that could not be repaired, or after a checkpoint. If no person can answer,
 * the run stops with the question, and the next start asks again.
 */
export async function askPerson(
  ports: WholePorts,
  input: EffectInput<"askPerson">,
  signal: AbortSignal,
): Promise<Answer<"askPerson">> {
  const { attempts, person } = ports;
  const { root, about, task, repairs, escalation, unattended = false } = input;
  // A checkpoint reports on the planned task.
  const current = about === "checkpoint" ? root : input.task;
  // The current task and the tasks above it. All other tasks of the tree are done.
  const tasks = lineageIn(attempts.spent(root), task);
  await summarizeRetries(ports, { repairs, tasks, level: levelAfterRetries(escalation) });
  const text = await tell[about](ports, input);
  // Pause the working time: a person may take long to answer.
  const resume = attempts.pause();
  try {
    const said = (await person?.({ task: root, current, about, text }, signal)) ?? null;
    // `accept` answers only a question that shows a change.
    const isOff = said?.kind === "decided" && said.decision === "accept" && about !== "guard";
    const answer = isOff ? null : said;
    signal.throwIfAborted();
    const hint = await hintFor(ports, { task: current, root, about }, unattended);
    const isOfRun = about === "environment" && input.tooLong !== true;
    return answer ?? { kind: "gate", reason: text, hint, ...(isOfRun && { ofRun: true }) };
  } finally {
    resume();
  }
}

/**
 * Hint of a question. A checkpoint that is the only question has a hint of one line, since its text lists the other
 * answers.
 */
const hintFor = async (ports: WholePorts, question: AskedQuestion, isNamed: boolean): Promise<string> => {
  const isRerun = (await rerunsFirst(ports))(question.root);
  const hints = questionHints(question, addressIn(ports), { isOver: true, isNamed, isRerun });
  return (question.about === "checkpoint" && !isNamed ? hints.slice(0, 1) : hints).join("\n");
};

const tell = {
  checkpoint: describeCheckpoint,
  repair: renderFailure,
  blocked: async (_ports: WholePorts, { task, question }: EffectInput<"askPerson">) =>
    `The executor of task ${task} asks: ${question ?? "a person has to decide"}`,
  guard: async (_ports: WholePorts, { task, question }: EffectInput<"askPerson">) =>
    `Task ${task}: ${question ?? "its proof was changed"}`,
  environment: async (_ports: WholePorts, { task, question, tooLong = false }: EffectInput<"askPerson">) =>
    tooLong
      ? `No remedy is left for task ${task}: ${question ?? "the reason is unknown"}`
      : `Three tasks in a row failed for the same reason; the last was ${task}: ${question ?? "the reason is unknown"}`,
} as const;

async function describeCheckpoint(ports: WholePorts, input: EffectInput<"askPerson">): Promise<string> {
  const path = input.report ?? "";
  return renderCheckpoint({ ...(await stuckReportOf(ports, { ...input, stuck: null, fixes: [] })), path });
}

async function renderFailure(
  ports: WholePorts,
  { task: id, root, escalation, repairs }: EffectInput<"askPerson">,
): Promise<string> {
  const task = await findTask(ports, id);
  const actual = escalation.lastError ?? "nothing is recorded";
  return explainQuestion({ task, root, expected: expectedOf(task), actual, repairs });
}

const levelAfterRetries = (escalation: Escalation): LevelRung | null =>
  escalation.level === "normal" ? null : firstLevel(escalation);
