import type { TimedRunEvent } from "../../../model/event.ts";
import { isoTime } from "../../../wording/render-time.ts";
import { renderJson, type Terminal } from "../cli-command.ts";

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

/**
 * One object a line: `type` first, then `at`, then the rest of the event, with all times in ISO 8601.
 *
 * @param spec Put into every line, where several runs are told of.
 */
export const jsonReporter = (terminal: Terminal, spec?: string): Reporter => ({
  event({ type, at, ...rest }) {
    const until = "until" in rest && rest.until !== null ? { until: isoTime(rest.until) } : {};
    terminal.out(`${renderJson({ type, at, ...rest, ...until, ...(spec !== undefined && { spec }) })}\n`);
  },
  close() {},
  hold: () => () => {},
});
