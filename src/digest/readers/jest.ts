import { type Finding, type LineReader, listFindings, maxFindings, numbersIn, type ToolReader } from "../reader.ts";
import { stackPlace } from "../shapes.ts";

/** In colour, FAIL and PASS have a space on both sides. */
const fileForm = /^ ?(FAIL|PASS) {1,4}(\S.*)$/;
const suffix = / \(\d[^()]{0,60}\)$/;
const counted = /^Tests: {1,12}(.{0,200}, )?\d{1,9} total$/;

/** Human-readable output of Jest. An id is the file path, followed by the names of suites and test. */
export const jest: ToolReader = { tool: "jest", kind: "tests", open: readJest };

function readJest(): LineReader {
  const found = listFindings();
  let file: string | null = null;
  let current: Finding | null = null;
  let isSummed = false;
  let broken = 0;

  const finish = (): void => {
    if (current !== null) found.add(current);
    current = null;
  };
  const readTitle = (title: string): void => {
    finish();
    if (file === null || title === "Console" || title.startsWith(" ")) return;
    const isWhole = title === "Test suite failed to run";
    if (isWhole && found.size() < maxFindings) broken += 1;
    const id = isWhole ? file : `${file} > ${title.replaceAll(" › ", " > ").trim()}`;
    current = { id, file, line: null, message: "" };
  };
  const readDetail = (finding: Finding, text: string): void => {
    const [, name, value = ""] = /^(Expected|Received)(?: [a-z ]{1,30})?: {1,4}(.{1,500})$/.exec(text) ?? [];
    if (name === "Expected" && finding.expected === undefined) current = { ...finding, expected: value };
    else if (name === "Received" && finding.actual === undefined) current = { ...finding, actual: value };
    else if (finding.line === null && text.startsWith("at ")) {
      const place = stackPlace(text);
      if (place !== null) current = { ...finding, ...place };
    }
    if (finding.message === "") current = { ...finding, message: text };
    // Jest prints advice about its configuration before the error.
    else if (finding.message.startsWith("Jest encountered an unexpected token") && text.startsWith("SyntaxError: "))
      current = { ...finding, message: text.replace(/^SyntaxError: \/\S{1,500}: /, "SyntaxError: ") };
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x46 || first === 0x50 || line.startsWith(" FAIL ") || line.startsWith(" PASS ")) {
        const [, state, path = ""] = fileForm.exec(line) ?? [];
        if (state === undefined) return;
        finish();
        file = state === "FAIL" ? pathOf(path) : null;
        return;
      }
      if (first === 0x54 && line.startsWith("Test")) {
        if (line.startsWith("Test Suites: ")) finish();
        const [whole, told = ""] = counted.exec(line) ?? [];
        if (whole === undefined) return;
        const count = numbersIn(told);
        found.count({ passed: count("passed"), failed: count("failed"), skipped: count("skipped", "todo") });
        isSummed = true;
        return;
      }
      if (first === 0x4e && line.startsWith("No tests found")) {
        found.count({});
        isSummed = true;
        return;
      }
      if (file === null || first !== 0x20) return;
      if (line.startsWith("  ● ")) readTitle(line.slice(4));
      else if (current !== null && line.trim() !== "") readDetail(current, line.trim());
    },
    end: () => {
      finish();
      if (isSummed) found.count({ broken });
      return found.end();
    },
  };
}

/** The path may follow a project name, and a duration may follow the path. */
function pathOf(shown: string): string | null {
  const path = shown.trim().replace(suffix, "").trim().replace(/^\.\//, "");
  return /\.\w{1,10}$/.test(path) ? path : null;
}

const failForm = /^ {0,4}FAIL {1,4}(\S.*)$/;
const headingForm =
  /^[⎯ ]{4,200}(Failed Suites|Failed Tests|Unhandled Errors?|Unhandled Rejection|Uncaught Exception)\b/;
const sum = /^ {1,8}(Tests|Test Files) {1,4}(\S.{0,200})$/;

/** Human-readable output of Vitest. An id is the file path, followed by the names of suites and test. */
export const vitest: ToolReader = { tool: "vitest", kind: "tests", open: readVitest };

function readVitest(): LineReader {
  const found = listFindings();
  let isOpen = false;
  let isAfterBlank = false;
  let isUnhandled = false;
  let waiting: string[] = [];
  let current: Finding | null = null;
  let suites = 0;
  let isSummed = false;

  const finish = (): void => {
    for (const id of waiting) {
      const [file = null] = id.split(" > ", 1);
      found.add({ ...(current ?? { line: null, message: "" }), id, file: current?.file ?? plainFile(file) });
    }
    waiting = [];
    current = null;
  };
  const readSum = (line: string): void => {
    const [, name, told = ""] = sum.exec(line) ?? [];
    if (name !== "Tests" || !/\(\d{1,9}\)$|no tests/.test(told)) return;
    const count = numbersIn(told);
    const passed = count("passed", "expected fail");
    found.count({ passed, failed: count("failed"), skipped: count("skipped", "todo") });
    isSummed = true;
  };
  const readDetail = (line: string): void => {
    if (current === null) {
      if (line.trim() === "") return;
      current = { id: "", file: null, line: null, message: line.trim().replace(/^(?:Assertion)?Error: /, "") };
      return;
    }
    const sign = line.charCodeAt(0);
    if (sign === 0x2d && current.expected === undefined && !/^- Expected\b/.test(line)) {
      current = { ...current, expected: line.slice(1).trim() };
    } else if (sign === 0x2b && current.actual === undefined && !/^\+ Received\b/.test(line)) {
      current = { ...current, actual: line.slice(1).trim() };
    } else if (current.file === null && line.trimStart().startsWith("❯ ")) {
      const place = placeOf(line.trim());
      if (place !== null) current = { ...current, ...place };
    }
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x23af || (first === 0x20 && line.startsWith(" ⎯"))) {
        const [, heading] = headingForm.exec(line) ?? [];
        if (heading !== undefined) {
          finish();
          isOpen = true;
          isUnhandled = heading.startsWith("Un");
          suites += heading === "Failed Suites" ? (numberIn(line) ?? 0) : 0;
        } else if (isOpen && /⎯\[\d{1,9}\/\d{1,9}\]⎯/.test(line)) finish();
        isAfterBlank = true;
        return;
      }
      if (first === 0x20 && line.includes("Test") && sum.test(line)) {
        finish();
        isUnhandled = false;
        readSum(line);
        return;
      }
      if (first === 0x4e && line.startsWith("No test files found")) {
        found.count({});
        isSummed = true;
      }
      if (!isOpen) return;
      const [, shown] = failForm.exec(line) ?? [];
      // A similar line that belongs to an error has no blank line above.
      if (shown !== undefined && (isAfterBlank || (waiting.length > 0 && current === null))) {
        if (current !== null) finish();
        if (waiting.length < maxFindings) waiting.push(idOf(shown.trim()));
        isUnhandled = false;
        return;
      }
      isAfterBlank = line.trim() === "";
      if (waiting.length > 0) readDetail(line);
      else if (isUnhandled && /^\w{0,60}(?:Error|Rejection|Exception)\b.{0,400}: /.test(line)) {
        found.add({ id: `Unhandled: ${line.trim()}`, file: null, line: null, message: line.trim() });
        isUnhandled = false;
      }
    },
    end: () => {
      finish();
      if (isSummed) found.count({ broken: suites });
      return found.end();
    },
  };
}

/** A file that could not be loaded is printed twice: `src/a.test.ts [ src/a.test.ts ]`. */
function idOf(shown: string): string {
  const at = shown.indexOf(" [ ");
  return at !== -1 && shown.endsWith(" ]") && !shown.slice(0, at).includes(" > ") ? shown.slice(0, at).trim() : shown;
}

const plainFile = (file: string | null): string | null => file?.replace(/^\|[^|]{1,100}\| /, "") ?? null;

const numberIn = (line: string): number | null => {
  const [digits] = /\d{1,9}/.exec(line) ?? [];
  return digits === undefined ? null : Number(digits);
};

/** `❯ src/a.test.ts:7:17`, possibly with the name of a function before it. */
function placeOf(line: string): { file: string; line: number } | null {
  const word = line.slice(line.lastIndexOf(" ") + 1);
  return word.includes("node_modules/") ? null : stackPlace(`at ${word}`);
}
