import type { SaidReader } from "../reader.ts";
import { readTraceback } from "./unittest.ts";

/** Title of a line such as `==== FAILURES ====`; null for other lines. */
export function frameOf(line: string, mark: string): string | null {
  let start = 0;
  while (line[start] === mark) start += 1;
  let end = line.length;
  while (end > start && line[end - 1] === mark) end -= 1;
  const isFramed = start > 0 && end < line.length && line[start] === " " && line[end - 1] === " ";
  const title = isFramed ? line.slice(start + 1, end - 1) : "";
  // A line of `_ _ _` separates the calls of a traceback.
  return title === "" || title.startsWith(`${mark} `) ? null : title;
}

export interface FailedItem {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  /** Whether the item failed outside the test itself: in collection, setup or teardown. */
  readonly isError: boolean;
  readonly message: string | null;
  readonly parent?: string;
}

const fileOfName = /^[^\s:][^:]{0,500}?\.\w{1,10}(?=::)/;
const percent = /^\[ {0,2}\d{1,3}%\]$/;
const worker = /^\[gw\d{1,4}\] \[ {0,2}\d{1,3}%\] (FAILED|ERROR) /;

/** `FAILED tests/test_cart.py::test_total[1-2] - assert 3 == 4`. */
export function itemOfSummary(line: string): FailedItem | null {
  if (line.startsWith("SUBFAILED")) return subtestOfSummary(line.slice("SUBFAILED".length));
  const isError = line.startsWith("ERROR ");
  if (!isError && !line.startsWith("FAILED ")) return null;
  const rest = line.slice(isError ? 6 : 7);
  const [name, message] = splitMessage(rest);
  if (name.includes("::")) return itemOf(name, isError, message);
  return isError && name !== "" ? { id: name, file: name, title: name, isError, message } : null;
}

/** `tests/test_cart.py::test_total[1-2] FAILED [ 50%]`. */
export function itemOfProgress(line: string): FailedItem | null {
  if (line.startsWith("[gw")) {
    const [all, kind] = worker.exec(line) ?? [];
    return all === undefined ? null : itemOfTest(line.slice(all.length).trimEnd(), kind === "ERROR");
  }
  const sub = line.lastIndexOf(" SUBFAILED");
  if (sub !== -1) {
    const name = line.slice(0, sub);
    const words = withoutPercent(line.slice(sub + " SUBFAILED".length));
    return isTestName(name) ? subtest(name, words, null) : null;
  }
  const end = Math.max(line.lastIndexOf(" FAILED"), line.lastIndexOf(" ERROR"));
  if (end === -1) return null;
  const isError = line.startsWith(" ERROR", end);
  return withoutPercent(line.slice(end + (isError ? 6 : 7))) === "" ? itemOfTest(line.slice(0, end), isError) : null;
}

function withoutPercent(text: string): string {
  const words = text.trim();
  const start = words.endsWith("%]") ? words.lastIndexOf("[") : -1;
  return start !== -1 && percent.test(words.slice(start)) ? words.slice(0, start).trim() : words;
}

/** Whether a text is only the name of a test, without output of the test after it. */
function isTestName(name: string): boolean {
  const file = fileOfName.exec(name)?.[0];
  if (file === undefined || /\s/.test(file)) return false;
  const values = name.indexOf("[");
  return values === -1 ? !/\s/.test(name) : !/\s/.test(name.slice(0, values)) && name.endsWith("]");
}

const itemOfTest = (name: string, isError: boolean): FailedItem | null =>
  isTestName(name) ? itemOf(name, isError, null) : null;

function itemOf(name: string, isError: boolean, message: string | null): FailedItem {
  const file = fileOfName.exec(name)?.[0] ?? name.slice(0, name.indexOf("::"));
  return { id: name, file, title: titleOf(name.slice(file.length + 2)), isError, message };
}

/** `[square] (number=1) tests/test_cart.py::test_each - assert 1 == 0`. */
function subtestOfSummary(rest: string): FailedItem | null {
  const colons = rest.indexOf(".py::");
  const start = rest.lastIndexOf(" ", colons);
  if (colons === -1 || start === -1) return null;
  const [name, message] = splitMessage(rest.slice(start + 1));
  return subtest(name, rest.slice(0, start).trim(), message);
}

function subtest(name: string, words: string, message: string | null): FailedItem {
  const { title, ...item } = itemOf(name, false, message);
  return words === ""
    ? { ...item, title }
    : { ...item, id: `${name} ${words}`, title: `${title} ${words}`, parent: name };
}

/** Split name and message. Parameter values may contain the separator. */
function splitMessage(text: string): [string, string | null] {
  const dash = text.indexOf(" - ");
  if (dash === -1) return [text.trimEnd(), null];
  const values = text.indexOf("[");
  const close = values !== -1 && values < dash ? text.indexOf("] - ", values) : -1;
  if (values !== -1 && values < dash && close === -1) return [text.trimEnd(), null];
  const end = close === -1 ? dash : close + 1;
  return [text.slice(0, end), text.slice(end + 3)];
}

/**
 * Convert the name of a test to the title of its section: `TestCart::test_total[a::b]` to `TestCart.test_total[a::b]`.
 */
function titleOf(name: string): string {
  const values = name.indexOf("[");
  return values === -1 ? name.replaceAll("::", ".") : name.slice(0, values).replaceAll("::", ".") + name.slice(values);
}

export interface Section {
  /** The name of the test without its file, or the file that could not be collected. */
  readonly title: string;
  readonly isError: boolean;
  readonly isCollection: boolean;
  /** Position of the test itself in the traceback. */
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
}

const prefix = /^ERROR (?:collecting|at (?:setup|teardown|call) of) /;
const place = /^([^\s:][^:]{0,300}):(\d{1,9}): ?/;
const collectedLine = /^E {1,20}(\w[\w.]{0,100}(?:Error|Exception|Warning|Exit)\b.{0,500})$/;

/** @param title The text between the marks of the title line. */
export function openSection(title: string): SaidReader<Section> {
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
        // Python prints the message of a syntax error after its position.
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

/** Whether a line announces the next exception of a chain; the last exception is the failure. */
const isNextOfChain = (text: string): boolean =>
  text.startsWith("The above exception was the direct cause") || text.startsWith("During handling of the above exc");
