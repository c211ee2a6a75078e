import type { TimedRunEvent } from "../model/event.ts";
import { type Happening, renderEvent, renderHeading } from "./render-event.ts";
import { renderSummary } from "./render-summary.ts";

/**
 * What `fixpoint run --reporter plain` prints of an event: lines that end with a line feed, made safe for a terminal.
 * Empty for an event that is not told.
 */
export function describeEvent(event: TimedRunEvent): string {
  if (event.type === "run.started") return renderHeading(event);
  if (event.type === "run.ended") {
    const { out, err } = renderSummary(event);
    return out + err;
  }
  return isShownLater(event) ? "" : `${renderEvent(event)}\n`;
}

/** What a person has to do is told at the end of the run. */
const needsPerson = (event: TimedRunEvent): boolean => event.type === "waiting" && event.until === null;

const isShownLater = (event: TimedRunEvent): event is Exclude<TimedRunEvent, Happening> =>
  event.type === "task.decided" || event.type === "task.progress" || needsPerson(event);
