import { renderJson } from "../render-json.ts";
import { isoTime } from "../render-time.ts";
import type { Terminal } from "../terminal.ts";
import type { Reporter } from "./reporter.ts";

/** One object a line: `type` first, then `at`, then the rest of the event, with all times in ISO 8601. */
export const jsonReporter = (terminal: Terminal): Reporter => ({
  event({ type, at, ...rest }) {
    const until = "until" in rest && rest.until !== null ? { until: isoTime(rest.until) } : {};
    terminal.out(`${renderJson({ type, at, ...rest, ...until })}\n`);
  },
  close() {},
  hold: () => () => {},
});
