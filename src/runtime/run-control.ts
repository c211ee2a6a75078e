import { PersonEvent } from "../model/person-event.ts";

/** Says things to a run from outside while it is under way. What is said before it begins is heard when it does. */
export interface RunControl {
  send(event: PersonEvent): void;
}

/** What the run hears of it. */
export interface Heard extends RunControl {
  /** What was said since this was asked last, oldest first. */
  take(): readonly PersonEvent[];
  /** Resolves as soon as something is there to be taken. */
  next(): Promise<void>;
}

export function createRunControl(): Heard {
  let said: PersonEvent[] = [];
  // Of the one who asked last: who has stopped waiting is forgotten.
  let wake = (): void => {};
  return {
    send: (event) => {
      said.push(PersonEvent.parse(event));
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
