import type { NotifiedEvent } from "../model/status.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { renderEvent } from "./render-event.ts";

/** Columns that a message may take. */
const width = 500;

/**
 * What a person is to know of a run, in one line. It begins with words of fixpoint, so that no program takes a text of
 * others for an option or for the name of a file.
 */
export function renderNotification(spec: string, event: NotifiedEvent): string {
  return clipText(`Run of ${escapeText(spec)}: ${lineOf(event)}`, width).text;
}

function lineOf(event: NotifiedEvent): string {
  if (event.type === "person.asked") return renderEvent({ ...event, at: "" });
  const [why = ""] = (event.error ?? event.shipped?.url ?? "").split("\n");
  return why === "" ? event.outcome : `${event.outcome}: ${escapeText(why)}`;
}
