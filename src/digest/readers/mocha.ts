import { listFindings } from "../finding-list.ts";
import type { Finding, LineReader, ToolReader } from "../reader.ts";
import { stackPlace } from "../stack-place.ts";

const passing = /^ {2}(\d{1,9}) passing \(\d[^()]{0,20}\)$/;
const failing = /^ {2}(\d{1,9}) failing$/;
const crashForm = /^ Exception during run: (\S.{0,1000})$/;
const titleForm = /^ {2}(\d{1,9})\) (.*)$/;

/** Mocha where it prints for people. An id is the full title of a test, which Mocha joins with blanks. */
export const mocha: ToolReader = { tool: "mocha", kind: "tests", open: readMocha };

function readMocha(): LineReader {
  let found = listFindings();
  let passed: number | null = null;
  let failed: number | null = null;
  let next = 1;
  let title: string[] | null = null;
  let current: Finding | null = null;
  let crash: Finding | null = null;

  const finish = (): void => {
    if (current !== null) found.addEach(current);
    current = null;
  };
  /** A title goes on in the next line, set in further, until its test. */
  const readTitle = (line: string, parts: string[]): boolean => {
    const indent = 5 + 2 * parts.length;
    if (line.search(/\S/) === indent && parts.length < 100) {
      parts.push(line.trim());
      return true;
    }
    title = null;
    const last = parts.at(-1) ?? "";
    if (!last.endsWith(":")) return false;
    const id = [...parts.slice(0, -1), last.slice(0, -1)].join(" ");
    current = { id, file: null, line: null, message: "" };
    return false;
  };
  const readDetail = (finding: Finding, line: string): void => {
    const text = line.trim();
    if (finding.message === "") {
      current = { ...finding, message: text.replace(/^[A-Z]\w{0,60}(?: \[\w{1,60}\])?: /, "") };
    } else if (finding.message.endsWith(":")) current = { ...finding, message: `${finding.message} ${text}` };
    else if (/^-\S/.test(text) && finding.actual === undefined && line.startsWith("      -")) {
      current = { ...finding, actual: text.slice(1) };
    } else if (/^\+\S/.test(text) && finding.expected === undefined && line.startsWith("      +")) {
      current = { ...finding, expected: text.slice(1) };
    } else if (finding.line === null && text.startsWith("at ")) {
      const place = stackPlace(text);
      if (place !== null) current = { ...finding, ...place };
    }
  };

  /** A file that cannot be loaded ends the run. */
  const readCrash = (line: string): void => {
    const [, said] = crashForm.exec(line) ?? [];
    if (said !== undefined) {
      const [, file, number] = /^([^:]{1,500}\.\w{1,5}):(\d{1,9})$/.exec(said) ?? [];
      crash = {
        id: file ?? said,
        file: file ?? null,
        line: number === undefined ? null : Number(number),
        message: said,
      };
    } else if (crash !== null && crash.id === crash.file && /^\w{1,60}: \S/.test(line)) {
      crash = { ...crash, message: line };
      found.add(crash);
      crash = null;
    }
  };

  return {
    read: (line) => {
      if (crash !== null || line.startsWith(" Exception during run: ")) readCrash(line);
      if (failed === null || line.endsWith("ing") || line.endsWith(")")) {
        const [, count] = passing.exec(line) ?? [];
        if (count !== undefined) {
          passed = Number(count);
          failed = null;
          return;
        }
        if (passed === null) return;
        const [, lost] = failing.exec(line) ?? [];
        if (lost !== undefined) {
          found = listFindings();
          failed = Number(lost);
          next = 1;
          title = null;
          current = null;
          return;
        }
        // Only those that wait may be counted between.
        if (failed === null) {
          if (line.trim() !== "" && !/^ {2}\d{1,9} pending$/.test(line)) passed = null;
          return;
        }
      }
      if (title !== null && readTitle(line, title)) return;
      const [, number, text = ""] = titleForm.exec(line) ?? [];
      if (Number(number) === next && next <= (failed ?? 0)) {
        finish();
        next += 1;
        title = [text.trim()];
      } else if (current !== null && line.trim() !== "") readDetail(current, line);
    },
    end: () => {
      if (title !== null) readTitle("", title);
      finish();
      if (crash !== null) found.add(crash);
      return failed === null ? found.end() : found.end({ failed, ran: failed + (passed ?? 0) });
    },
  };
}
