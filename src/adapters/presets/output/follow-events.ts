import { fstatSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { parseEvent, type StreamEvent } from "./stream-event.ts";

/** Reads the events in a file once, while a program still writes the file. */
export interface EventReader {
  /**
   * Read all available data, and pass on each event when its line is complete. Other work can run in between.
   *
   * @param isOver Returns whether to stop reading.
   */
  readOn(isOver: () => boolean): Promise<void>;
  position(): number;
  /**
   * Read the last line, which may lack a line ending. Call it when the file is complete.
   *
   * @returns Whether the file had any event.
   */
  end(): boolean;
}

const chunkBytes = 256 * 1024;

/**
 * Follow the events in a file, one per line. Skips other lines, and lines above 8 MiB. Holds only one line in memory. A
 * truncated file is read from its start again.
 *
 * @param file Descriptor of an open file.
 */
export function followEvents(file: number, see: (event: StreamEvent) => void): EventReader {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let found = false;
  let position = 0;
  const lines = splitLines((line) => {
    const event = parseEvent(line.toString().trim());
    if (event === null) return;
    found = true;
    see(event);
  });
  return {
    readOn: async (isOver) => {
      while (!isOver()) {
        if (fstatSync(file).size < position) {
          lines.drop();
          position = 0;
        }
        const count = readSync(file, chunk, 0, chunkBytes, position);
        if (count === 0) return;
        position += count;
        lines.take(chunk.subarray(0, count));
        await setImmediate();
      }
    },
    position: () => position,
    end: () => {
      lines.end();
      return found;
    },
  };
}

/** Maximum length of a line: longer lines have no event that we need. */
const longestLineBytes = 8 * 1024 * 1024;
const newline = 0x0a;
const brace = 0x7b;

/** Splits a stream of bytes into lines, and passes on each line that may have an event. */
interface LineSplitter {
  take(bytes: Buffer): void;
  drop(): void;
  /** Pass on the last line, which has no line ending. */
  end(): void;
}

/** Hold at most one line in memory, and nothing of a line above 8 MiB. */
function splitLines(onLine: (line: Buffer) => void): LineSplitter {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    // Copy the bytes, because the buffer is used again.
    if (length <= longestLineBytes) parts.push(Buffer.from(part));
    else parts = [];
  };
  const drop = (): void => {
    parts = [];
    length = 0;
  };
  const end = (): void => {
    onLine(Buffer.concat(parts));
    drop();
  };
  return {
    take: (bytes) => {
      let start = 0;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, start)) {
        const line = bytes.subarray(start, at);
        if (length === 0) onLine(line);
        else {
          add(line);
          end();
        }
        // Skip a line without a brace quickly: it has no event.
        const next = bytes.indexOf(brace, at);
        start = bytes.lastIndexOf(newline, next === -1 ? undefined : next) + 1;
      }
      add(bytes.subarray(start));
    },
    drop,
    end,
  };
}
