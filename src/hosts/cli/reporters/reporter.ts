import type { TimedRunEvent } from "../../../model/event.ts";

/** Tells a run to whoever watches, event by event. */
export interface Reporter {
  event(event: TimedRunEvent): void;
  /** Leave what is drawn as it stands: nothing more will be told. */
  close(): void;
  /**
   * Leave what is drawn as it stands while something else is printed and waits for an answer.
   *
   * @returns Goes on drawing, with what has happened since.
   */
  hold(): () => void;
}
