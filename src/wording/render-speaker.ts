import { isPerson, type Speaker } from "../model/person-event.ts";

/** Describe the sender of a message, not escaped: `bash, process 4711, at /dev/pts/3`. */
export function renderSpeaker({ kind, terminal, process, pid }: Speaker): string {
  const parts = [
    ...(process === null ? [] : [process]),
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(terminal === null ? [] : [`at ${terminal}`]),
    ...(kind === "page" ? ["over the page"] : []),
  ];
  return parts.length === 0 ? "an unknown process" : parts.join(", ");
}

/** Name the sender of a message as `a person` or `a program`. */
export const renderSayer = (by: Speaker | undefined): string => (isPerson(by) ? "a person" : "a program");

/** The sender in parentheses, after a message; empty if it is fixpoint itself or not recorded. */
export const saidBy = (by: Speaker | undefined): string => (by === undefined ? "" : ` (${renderSpeaker(by)})`);
