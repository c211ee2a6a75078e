import type { TimedRunEvent } from "../../../model/event.ts";
import { isoTime } from "../../../wording/render-time.ts";
import { renderJson, type Terminal } from "../cli-command.ts";

export interface Reporter {
  event(event: TimedRunEvent): void;
  /** Stop drawing; the last frame stays on the screen. */
  close(): void;
  /**
   * Stop drawing while something else is printed and waits for an answer.
   *
   * @returns A function that resumes drawing, and shows the events that came while drawing was paused.
   */
  hold(): () => void;
}

/**
 * Print one JSON object a line: `type` first, then `at`, then the rest of the event, with all times in ISO 8601.
 *
 * @param spec Added to every line when several runs are reported.
 */
export const jsonReporter = (terminal: Terminal, spec?: string): Reporter => ({
  event({ type, at, ...rest }) {
    const until = "until" in rest && rest.until !== null ? { until: isoTime(rest.until) } : {};
    terminal.out(`${renderJson({ type, at, ...rest, ...until, ...(spec !== undefined && { spec }) })}\n`);
  },
  close() {},
  hold: () => () => {},
});
