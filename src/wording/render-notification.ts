import type { TimedRunEvent } from "../model/event.ts";
import type { NotifiedEvent } from "../model/status.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { type Happening, renderEvent, renderHeading } from "./render-event.ts";
import { renderSummary } from "./render-summary.ts";
import { tellProofs } from "./tell-proof.ts";

/** Columns that what has happened may take. */
const width = 500;

/**
 * What a person is to know of a run, in one line: how it stands, what is asked, and the first of what can be done, with
 * its command. It begins with words of fixpoint, so that no program takes a text of others for an option or for the name
 * of a file.
 *
 * @param hint What can be done, a line each; null when there is nothing to do.
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
  const shown = proofs === undefined ? "" : `, ${tellProofs(proofs)}`;
  return `: ${outcome}${outcome === "complete" ? shown : ""}${why === "" ? "" : `: ${escapeText(why)}`}`;
}

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
