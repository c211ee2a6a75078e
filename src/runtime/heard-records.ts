import type { Answer } from "../model/effect.ts";
import { type PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import type { RunRecord } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";

/** Give queued guidance to the chosen tasks. */
export function advised(answer: Answer<"chooseTask">, { advice }: RunState): RunRecord[] {
  if (advice === null || (answer.kind !== "task" && answer.kind !== "batch")) return [];
  const { text, by } = advice;
  return (answer.kind === "task" ? [answer] : answer.members).map(({ root }) => guidedRecord(root, text, by));
}

/** Record a person's guidance for a planned task. */
export const guidedRecord = (task: TaskId, text: string, by: Speaker | undefined): RunRecord => ({
  type: "guided",
  task,
  text,
  ...spokenBy(by),
});

/** A person's event as the answer to an open question; null if the event is no answer. */
export function answerIn(event: PersonEvent): Answer<"askPerson"> | null {
  if (event.type === "decision.made") return { kind: "decided", decision: event.decision };
  return event.type === "guidance.given" ? { kind: "guided", text: event.text } : null;
}
