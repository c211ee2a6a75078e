/** A longer line is no event that would be asked for. */
const longestLineBytes = 8 * 1024 * 1024;
const newline = 0x0a;

/** Takes bytes as they come, and hands over each line of them. */
export interface LineSplitter {
  take(bytes: Buffer): void;
  /** The last line has no end of its own. */
  end(): void;
}

/** Hold no more than a line; of one that is longer than 8 MiB nothing. */
export function splitLines(onLine: (line: Buffer) => void): LineSplitter {
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
