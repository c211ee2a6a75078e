import type { Terminal } from "../terminal.ts";
import { type Happening, renderEvent } from "./render-event.ts";
import { renderHeading } from "./render-heading.ts";
import { renderSummary } from "./render-summary.ts";
import type { Reporter } from "./reporter.ts";

/** Lines that are only ever appended, for pipes, logs and screen readers. */
export const plainReporter = (terminal: Terminal): Reporter => ({
  event(event) {
    if (event.type === "run.started") terminal.out(renderHeading(event));
    else if (event.type === "run.ended") {
      const { out, err } = renderSummary(event);
      terminal.out(out);
      terminal.err(err);
    } else if (event.type !== "task.decided" && !needsPerson(event)) terminal.out(`${renderEvent(event)}\n`);
  },
  close() {},
  hold: () => () => {},
});

/** What a person has to do is told at the end of the run. */
const needsPerson = (event: Happening): boolean => event.type === "waiting" && event.until === null;
