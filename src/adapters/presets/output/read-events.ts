import { readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
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

const followedBytes = 256 * 1024;
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

/** A longer line is no event that would be asked for. */
const longestLineBytes = 8 * 1024 * 1024;
const newline = 0x0a;

/** Takes bytes as they come, and hands over each line of them. */
interface LineSplitter {
  take(bytes: Buffer): void;
  /** The last line has no end of its own. */
  end(): void;
}

/** Hold no more than a line; of one that is longer than 8 MiB nothing. */
function splitLines(onLine: (line: Buffer) => void): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    // Copied: the bytes are filled anew.
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
