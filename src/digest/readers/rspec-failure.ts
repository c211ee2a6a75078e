/** What RSpec says of a failure. */
interface RspecFailure {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
  readonly expected?: string;
  readonly actual?: string;
}

/** Reads what stands below the name of an example, or below an error outside of examples. */
export interface RspecFailureReader {
  readonly read: (line: string) => void;
  /** Null when there is neither a reason nor a place. */
  readonly end: () => RspecFailure | null;
}

const place = /^\s{0,20}# (?:\.\/)?([^\s:/][^\s:]{0,400}):(\d{1,9})(?::|$)/;
const failed = /^(?:\d{1,4}\.\d{1,4}\) )?Failure\/Error: ?/;

/** The code that failed comes first, by itself when it has several lines, and then what is wrong with it. */
export function openRspecFailure(): RspecFailureReader {
  let state: "begin" | "code" | "message" | "done" = "begin";
  let file: string | null = null;
  let line: number | null = null;
  let message: string | null = null;
  let expected: string | null = null;
  let actual: string | null = null;
  const readReason = (text: string): void => {
    if (message === null) message = text;
    else if (message.endsWith(":") && !message.includes(" ")) message = `${message} ${text}`;
    else if (message.startsWith("expected") && text.startsWith("got")) message = `${message}, ${text}`;
    else return;
    if (text.startsWith("expected: ")) expected = text.slice("expected: ".length);
    else if (text.startsWith("got: ") && expected !== null) actual = text.slice("got: ".length);
  };
  return {
    read: (raw) => {
      const text = raw.trim();
      if (text === "") {
        if (state === "code") state = "message";
        return;
      }
      if (text.startsWith("# ")) {
        const [, path, at] = file === null ? (place.exec(raw) ?? []) : [];
        if (path !== undefined) {
          file = path;
          line = Number(at);
        }
        if (message !== null) state = "done";
        return;
      }
      if (state === "done" || /^Got \d{1,6} failures?/.test(text)) return;
      const [head] = failed.exec(text) ?? [];
      if (head === undefined) {
        if (state !== "code") readReason(text);
      } else if (message === null) state = head === text ? "code" : "message";
      else state = "done";
    },
    end: () => {
      if (message === null && file === null) return null;
      return { file, line, message, ...(expected !== null && actual !== null && { expected, actual }) };
    },
  };
}
