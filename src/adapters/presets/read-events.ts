import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseEvent, type StreamEvent } from "./stream-event.ts";

const chunkBytes = 1024 * 1024;
/** A longer line is no event that would be asked for. */
const longestLineBytes = 8 * 1024 * 1024;
const newline = 0x0a;

/**
 * Read the events in a file, one on a line; other lines are skipped, and so are lines of more than 8 MiB. What is held
 * at a time is a line; others run in between.
 *
 * @param file Descriptor of an open file.
 * @returns Whether there was an event.
 */
export async function readEvents(file: number, see: (event: StreamEvent) => void): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let found = false;
  const seeLine = (line: Buffer): void => {
    const event = parseEvent(line.toString().trim());
    if (event === null) return;
    found = true;
    see(event);
  };
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    // Copied: the chunk is filled anew. Of a line that is too long nothing is left, so it is no event.
    if (length <= longestLineBytes) parts.push(Buffer.from(part));
    else parts = [];
  };
  const endLine = (): void => {
    seeLine(Buffer.concat(parts));
    parts = [];
    length = 0;
  };
  let position = 0;
  for (;;) {
    const count = readSync(file, chunk, 0, chunkBytes, position);
    if (count === 0) break;
    position += count;
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1 && end < count; end = chunk.indexOf(newline, start)) {
      take(chunk.subarray(start, end));
      endLine();
      start = end + 1;
    }
    take(chunk.subarray(start, count));
    await setImmediate();
  }
  endLine();
  return found;
}
