import type { Answer } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import { interpreted, renderIssues } from "../model/parse-json.ts";
import { PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import type { RunRecord } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";

/** Sends events to a run from outside. Events sent before the run begins are kept until it begins. */
export interface RunControl {
  /**
   * @param by The sending process, if it is not the process of the run.
   * @throws {InputError} `event-malformed`
   */
  send(event: PersonEvent, by?: Speaker, more?: Delivery): void;
}

/** Delivery of a message from another process. */
interface Delivery {
  /**
   * Key of the question that the message answers. If no one waits for that answer any more, the message is rejected.
   */
  readonly to?: string | undefined;
  /** Called when the message is rejected, or when the message is recorded and has no effects yet. */
  readonly onHeard?: () => void;
}

/** A message with its sender. A message without a sender comes from the program that drives the run. */
export interface Word extends Delivery {
  readonly event: PersonEvent;
  readonly by?: Speaker;
}

/** The run's side of the control. */
export interface Heard extends RunControl {
  /** Messages since the last call, oldest first. */
  take(): readonly Word[];
  /** Resolves as soon as there is a message. */
  next(): Promise<void>;
}

/** @throws {InputError} `event-malformed` */
function readEvent(event: unknown): PersonEvent {
  const read = PersonEvent.safeParse(event, interpreted);
  if (read.success) return read.data;
  throw new InputError("Cannot send this to the run, expected an event that a person may send", {
    code: "event-malformed",
    hint: renderIssues(read.error),
    cause: read.error,
  });
}

export function createRunControl(): Heard {
  let said: Word[] = [];
  // Wakes only the latest caller of `next`; earlier callers have stopped waiting.
  let wake = (): void => {};
  return {
    send: (event, by, more) => {
      said.push({ event: readEvent(event), ...(by !== undefined && { by }), ...more });
      wake();
    },
    take: () => {
      const taken = said;
      said = [];
      return taken;
    },
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (said.length > 0) resolve();
      }),
  };
}

/** Records that give queued guidance to the chosen tasks. */
export function advised(answer: Answer<"chooseTask">, { advice }: RunState): RunRecord[] {
  if (advice === null || (answer.kind !== "task" && answer.kind !== "batch")) return [];
  const { text, by } = advice;
  return (answer.kind === "task" ? [answer] : answer.members).map(({ root }) => guidedRecord(root, text, by));
}

export const guidedRecord = (task: TaskId, text: string, by: Speaker | undefined): RunRecord => ({
  type: "guided",
  task,
  text,
  ...spokenBy(by),
});

/** A person's event as the answer to an open question; null if the event is not an answer. */
export function answerIn(event: PersonEvent): Answer<"askPerson"> | null {
  if (event.type === "decision.made") return { kind: "decided", decision: event.decision };
  return event.type === "guidance.given" ? { kind: "guided", text: event.text } : null;
}
