import type { TimedRunEvent } from "../../../model/event.ts";

/** Tells a run to whoever watches, event by event. */
export interface Reporter {
  event(event: TimedRunEvent): void;
  /** Leave what is drawn as it stands: something else will be printed, or nothing more. */
  close(): void;
}
