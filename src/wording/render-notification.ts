import type { TimedRunEvent } from "../model/event.ts";
import type { NotifiedEvent } from "../model/status.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { type Happening, renderEvent, renderHeading } from "./render-event.ts";
import { renderProofs } from "./render-proofs.ts";
import { renderSummary } from "./render-summary.ts";

/** Maximum width of the event in a notification, in columns. */
const width = 500;

/**
 * Notify a person in one line: the state of the run, the question, and the first possible action with its command. The
 * line begins with fixpoint's own words, so that no program takes foreign text for an option or a file name.
 *
 * @param hint Possible actions, a line each; null if there is nothing to do.
 */
export function renderNotification(spec: string, event: NotifiedEvent, hint: string | null): string {
  const [first = ""] = (hint ?? "").split("\n");
  const told = clipText(`Run of ${escapeText(spec)}${lineOf(event)}`, width).text;
  return first === "" ? told : `${told}${/[.?!…]$/.test(told) ? "" : "."} ${escapeText(first)}`;
}

function lineOf(event: NotifiedEvent): string {
  if (event.type === "person.asked") return ` waits for you: ${renderEvent({ ...event, at: "" })}`;
  const { outcome, error, shipped, proofs } = event;
  const [why = ""] = (error ?? shipped?.url ?? "").split("\n");
  const shown = proofs === undefined ? "" : `, ${renderProofs(proofs)}`;
  return `: ${outcome}${outcome === "complete" ? shown : ""}${why === "" ? "" : `: ${escapeText(why)}`}`;
}

/**
 * Render an event as `fixpoint run --reporter plain` prints it: lines that end with a line feed, safe for a terminal.
 * Empty for an event that is not printed.
 */
export function describeEvent(event: TimedRunEvent): string {
  if (event.type === "run.started") return renderHeading(event);
  if (event.type === "run.ended") {
    const { out, err } = renderSummary(event);
    return out + err;
  }
  return isShownLater(event) ? "" : `${renderEvent(event)}\n`;
}

/** Whether an event only says that a person is needed. The end of the run says what to do. */
const needsPerson = (event: TimedRunEvent): boolean => event.type === "waiting" && event.until === null;

const isShownLater = (event: TimedRunEvent): event is Exclude<TimedRunEvent, Happening> =>
  event.type === "task.decided" || event.type === "task.progress" || needsPerson(event);
