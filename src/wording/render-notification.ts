import type { NotifiedEvent } from "../model/status.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { renderEvent } from "./render-event.ts";
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
