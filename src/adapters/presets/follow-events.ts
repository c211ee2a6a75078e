import { readSync } from "node:fs";
import { splitLines } from "./split-lines.ts";
import { parseEvent, type StreamEvent } from "./stream-event.ts";

const chunkBytes = 256 * 1024;
/** Chunks that are read at a time: nobody is held up for long. */
const mostChunks = 32;

/**
 * Follow the events in a file that is still being written.
 *
 * @param file Descriptor of an open file.
 * @returns Reads on from where it was; called again and again. An event is seen when its line has ended.
 */
export function followEvents(file: number, see: (event: StreamEvent) => void): () => void {
  const lines = splitLines((line) => {
    const event = parseEvent(line.toString().trim());
    if (event !== null) see(event);
  });
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  return () => {
    for (let chunks = 0; chunks < mostChunks; chunks++) {
      const count = readSync(file, chunk, 0, chunkBytes, position);
      if (count === 0) break;
      position += count;
      lines.take(chunk.subarray(0, count));
    }
  };
}
