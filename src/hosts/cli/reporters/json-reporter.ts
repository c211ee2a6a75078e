import { renderJson } from "../render-json.ts";
import type { Terminal } from "../terminal.ts";
import type { Reporter } from "./reporter.ts";

/** One object a line: `type` first, then `at`, then the rest of the event. */
export const jsonReporter = (terminal: Terminal): Reporter => ({
  event({ type, at, ...rest }) {
    terminal.out(`${renderJson({ type, at, ...rest })}\n`);
  },
  close() {},
});
