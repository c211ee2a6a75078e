import { InputError } from "../model/errors.ts";
import { interpreted, tellIssues } from "../model/interpreted.ts";
import { PersonEvent, type Speaker } from "../model/person-event.ts";

/** Says things to a run from outside while it is under way. What is said before it begins is heard when it does. */
export interface RunControl {
  /**
   * @param by The process that has said it, when that is another than the run's own.
   * @throws {InputError} `event-malformed`
   */
  send(event: PersonEvent, by?: Speaker, more?: Delivery): void;
}

/** How something is passed on that was said in another process. */
interface Delivery {
  /** Key of the question that it answers. When nobody waits for that answer any more, the run hears nothing. */
  readonly to?: string | undefined;
  /** Called when it is recorded, before anything begins behind it, or when the run was not to hear it. */
  readonly onHeard?: () => void;
}

/** Something that was said, and by whom; not given for the program itself. */
export interface Word extends Delivery {
  readonly event: PersonEvent;
  readonly by?: Speaker;
}

/** What the run hears of it. */
export interface Heard extends RunControl {
  /** What was said since this was asked last, oldest first. */
  take(): readonly Word[];
  /** Resolves as soon as something is there to be taken. */
  next(): Promise<void>;
}

/** @throws {InputError} `event-malformed` */
function readEvent(event: unknown): PersonEvent {
  const read = PersonEvent.safeParse(event, interpreted);
  if (read.success) return read.data;
  throw new InputError("Cannot take what is said to the run, expected an event of a person", {
    code: "event-malformed",
    hint: tellIssues(read.error),
    cause: read.error,
  });
}

export function createRunControl(): Heard {
  let said: Word[] = [];
  // Of the one who asked last: who has stopped waiting is forgotten.
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
