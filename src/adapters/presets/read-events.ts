import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { splitLines } from "./split-lines.ts";
import { parseEvent, type StreamEvent } from "./stream-event.ts";

const chunkBytes = 1024 * 1024;

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
  const lines = splitLines((line) => {
    const event = parseEvent(line.toString().trim());
    if (event === null) return;
    found = true;
    see(event);
  });
  let position = 0;
  for (;;) {
    const count = readSync(file, chunk, 0, chunkBytes, position);
    if (count === 0) break;
    position += count;
    lines.take(chunk.subarray(0, count));
    await setImmediate();
  }
  lines.end();
  return found;
}
