import { readTraceback } from "../python-traceback.ts";

/** What is printed of one failure. */
export interface Section {
  /** The name of the test without its file, or the file that could not be collected. */
  readonly title: string;
  readonly isError: boolean;
  readonly isCollection: boolean;
  /** Where the test itself stands in the traceback. */
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
}

/** Reads a section line by line. */
export interface SectionReader {
  readonly read: (line: string) => void;
  readonly end: () => Section;
}

const prefix = /^ERROR (?:collecting|at (?:setup|teardown|call) of) /;
const place = /^([^\s:][^:]{0,300}):(\d{1,9}): ?/;
const collectedLine = /^E {1,20}(\w[\w.]{0,100}(?:Error|Exception|Warning|Exit)\b.{0,500})$/;

/** @param title What stands in its frame. */
export function openSection(title: string): SectionReader {
  const kind = prefix.exec(title)?.[0] ?? "";
  const traceback = readTraceback(title.split(/[[ ]/, 1)[0]?.split(".").at(-1) ?? null);
  let file: string | null = null;
  let line: number | null = null;
  let message: string | null = null;
  return {
    read: (text) => {
      if (text === "") return;
      const first = text[0];
      if (first === "E" && text[1] === " ") {
        // What a compiler says comes after the line that it is about.
        if (message === null || (message.startsWith('File "') && collectedLine.test(text))) {
          message = text.slice(1).trim() || null;
        }
        return;
      }
      traceback.read(text);
      if (first === " " || first === ">") return;
      if (isNextOfChain(text)) {
        file = null;
        line = null;
        message = null;
        return;
      }
      const [, path, at] = file === null ? (place.exec(text) ?? []) : [];
      if (path === undefined) return;
      file = path;
      line = Number(at);
    },
    end: () => {
      const native = traceback.end();
      return {
        title: title.slice(kind.length),
        isError: kind !== "",
        isCollection: kind === "ERROR collecting ",
        file: file ?? native.file,
        line: file === null ? native.line : line,
        message: message ?? native.message,
      };
    },
  };
}

/** Of a chain of exceptions the last is the failure. */
const isNextOfChain = (text: string): boolean =>
  text.startsWith("The above exception was the direct cause") || text.startsWith("During handling of the above exc");
