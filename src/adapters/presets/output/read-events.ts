import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseEvent, type StreamEvent } from "./stream-event.ts";

const chunkBytes = 1024 * 1024;

/**
 * Read the events in a file, one on each line. Other lines are skipped, and so are lines of more than 8 MiB. Only one
 * line is held at a time, and other work can run in between.
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

const followedBytes = 256 * 1024;
/** How many chunks are read at a time, so that nobody waits for long. */
const mostChunks = 32;

/**
 * Follow the events in a file that is still being written.
 *
 * @param file Descriptor of an open file.
 * @returns Reads on from where it stopped; called again and again. An event is seen when its line has ended.
 */
export function followEvents(file: number, see: (event: StreamEvent) => void): () => void {
  const lines = splitLines((line) => {
    const event = parseEvent(line.toString().trim());
    if (event !== null) see(event);
  });
  const chunk = Buffer.allocUnsafe(followedBytes);
  let position = 0;
  return () => {
    for (let chunks = 0; chunks < mostChunks; chunks++) {
      const count = readSync(file, chunk, 0, followedBytes, position);
      if (count === 0) break;
      position += count;
      lines.take(chunk.subarray(0, count));
    }
  };
}

/** No event of interest is on a longer line. */
const longestLineBytes = 8 * 1024 * 1024;
const newline = 0x0a;

/** Takes bytes as they come, and passes on each line in them. */
interface LineSplitter {
  take(bytes: Buffer): void;
  /** Pass on the last line, which has no line ending. */
  end(): void;
}

/** Hold no more than one line, and nothing of a line that is longer than 8 MiB. */
function splitLines(onLine: (line: Buffer) => void): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    // Copied, because the buffer is used again.
    if (length <= longestLineBytes) parts.push(Buffer.from(part));
    else parts = [];
  };
  const end = (): void => {
    onLine(Buffer.concat(parts));
    parts = [];
    length = 0;
  };
  return {
    take: (bytes) => {
      let start = 0;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, start)) {
        add(bytes.subarray(start, at));
        end();
        start = at + 1;
      }
      add(bytes.subarray(start));
    },
    end,
  };
}
