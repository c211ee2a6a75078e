import {
  type Finding,
  type LineReader,
  listFindings,
  maxFindings,
  type Reading,
  type Said,
  type SaidReader,
  type ToolReader,
} from "../reader.ts";
import { fieldsOf, listOf, numberOf, textOf } from "../shapes.ts";

/**
 * Reads the lines below the name of an example, or below an error outside of examples. Returns null if the lines
 * contain neither a reason nor a position.
 */
type RspecFailureReader = SaidReader<Said | null>;

const place = /^\s{0,20}# (?:\.\/)?([^\s:/][^\s:]{0,400}):(\d{1,9})(?::|$)/;
const failed = /^(?:\d{1,4}\.\d{1,4}\) )?Failure\/Error: ?/;

/** Read a failure: first the failed code, on separate lines if it has several, then the reason. */
function openRspecFailure(): RspecFailureReader {
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

/**
 * Human-readable output of RSpec. An id is the full description of an example, without its file, which only the JSON
 * formatter prints.
 */
export const rspec: ToolReader = { tool: "rspec", kind: "tests", open: openRspec };

const heading = /^ {2}\d{1,6}\) (\S.{0,2000})$/;
const outside = /^An error occurred (?:while loading|in an?) (\S.{0,500}?)\.?$/;
const total =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;

interface Failure {
  readonly id: string;
  readonly file: string | null;
  readonly isOutside: boolean;
  readonly reader: RspecFailureReader;
}

function openRspec(): SaidReader<Reading | null> {
  const findings = listFindings();
  let found: Finding[] = [];
  let more = 0;
  let isList = false;
  let failure: Failure | null = null;
  let isSummed = false;

  const close = (): void => {
    const said = failure?.reader.end() ?? null;
    // Lines without a reason or a position are output of a program.
    if (failure !== null && said !== null) {
      const { id, file } = failure;
      if (found.length < maxFindings)
        found.push({ ...said, id, file: file ?? said.file, message: said.message ?? "failed" });
      else more += 1;
    }
    failure = null;
  };
  const finish = (): void => {
    close();
    for (const finding of found) findings.addEach(finding);
    found = [];
  };
  const readTotal = (line: string): boolean => {
    const [, run, failed, pending = 0, errors = 0] = total.exec(line) ?? [];
    if (run === undefined) return false;
    const wrong = Number(failed) + Number(errors);
    if (wrong === 0) {
      failure = null;
      found = [];
    }
    finish();
    isList = false;
    const passed = Number(run) - Number(failed) - Number(pending);
    findings.count({ passed, failed: Number(failed), skipped: Number(pending), broken: Number(errors) });
    isSummed = true;
    return true;
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) {
        if (isList && line.charCodeAt(2) !== 0x20) {
          const [, title] = heading.exec(line) ?? [];
          if (title !== undefined) {
            close();
            failure = { id: title.replace(/ FIXED$/, ""), file: null, isOutside: false, reader: openRspecFailure() };
            return;
          }
        }
      } else if (first === 0x41 && line.startsWith("An error occurred ")) {
        const [, where] = outside.exec(line) ?? [];
        if (where === undefined) return;
        close();
        const file = where.endsWith(".rb") ? withoutDot(where) : null;
        failure = { id: where, file, isOutside: true, reader: openRspecFailure() };
        return;
      } else if (first === 0x46 || first === 0x50) {
        if (line === "Failures:" || line.startsWith("Failed examples:") || line.startsWith("Pending: (")) {
          close();
          isList = line === "Failures:";
          return;
        }
        if (line.startsWith("Finished in ")) {
          close();
          isList = false;
        }
      } else if (first >= 0x30 && first <= 0x39 && line.includes(" example") && readTotal(line)) return;
      // Lines about an example are indented; output of a program seldom is.
      if (failure !== null && (failure.isOutside || line === "" || line.startsWith("     "))) failure.reader.read(line);
    },
    end: () => {
      finish();
      const listed = findings.size() + more;
      return isSummed ? findings.end() : findings.end(more > 0 ? { failed: listed } : {});
    },
  };
}

const withoutDot = (path: string): string => (path.startsWith("./") ? path.slice(2) : path);

export const rspecJson: ToolReader = { tool: "rspec", kind: "report", open: openRspecJson };

function openRspecJson(): LineReader {
  const findings = listFindings();
  const addExample = (value: unknown): void => {
    const example = fieldsOf(value);
    if (example["status"] !== "failed") return;
    const reader = openRspecFailure();
    const exception = fieldsOf(example["exception"]);
    const message = textOf(exception["message"]);
    if (!textOf(exception["class"]).startsWith("RSpec::")) reader.read(`${textOf(exception["class"])}:`);
    for (const line of message.split("\n", 20)) reader.read(line);
    findings.addEach({
      message: null,
      ...reader.end(),
      id: textOf(example["full_description"]),
      file: textOf(example["file_path"]).replace(/^\.\//, "") || null,
      line: numberOf(example["line_number"]),
    });
  };
  return {
    json: (report) => {
      const { examples, summary, messages } = fieldsOf(report);
      if (!Array.isArray(examples)) return;
      const { example_count, failure_count, pending_count, errors_outside_of_examples_count } = fieldsOf(summary);
      if (numberOf(failure_count) === null) return;
      const [failed, skipped] = [numberOf(failure_count) ?? 0, numberOf(pending_count) ?? 0];
      const passed = (numberOf(example_count) ?? 0) - failed - skipped;
      findings.count({ passed, failed, skipped, broken: numberOf(errors_outside_of_examples_count) ?? 0 });
      for (const example of examples) addExample(example);
      // Errors outside of examples are only reported as text.
      const outside = openRspec();
      for (const line of listOf(messages).flatMap((message) => textOf(message).split("\n"))) outside.read(line);
      for (const finding of outside.end()?.findings ?? []) findings.add(finding);
    },
    end: findings.end,
  };
}
