import type { Speaker } from "../model/speaker.ts";

/** Who has said something, still to be escaped: `bash, process 4711, at /dev/pts/3`. */
export function renderSpeaker({ terminal, process, pid }: Speaker): string {
  const parts = [
    ...(process === null ? [] : [process]),
    ...(pid === null ? [] : [`process ${pid}`]),
    ...(terminal === null ? [] : [`at ${terminal}`]),
  ];
  return parts.length === 0 ? "somebody who left no name" : parts.join(", ");
}

/** The same in parentheses behind what was said; nothing for the program itself, or where it is not recorded. */
export const saidBy = (by: Speaker | undefined): string => (by === undefined ? "" : ` (${renderSpeaker(by)})`);
