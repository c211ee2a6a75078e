import { type LineReader, listFindings, type Said, type SaidReader, type ToolReader, valuesIn } from "../reader.ts";

/**
 * Read the traceback of an exception, or of the last exception of a chain.
 *
 * @param name The function whose line is reported; if it is null or not in the traceback, the last call is reported.
 */
export function readTraceback(name: string | null): SaidReader {
  let error: Said = { file: null, line: null, message: null };
  let isNamed = false;
  let isOpen = false;
  return {
    read: (line) => {
      if (line === "Traceback (most recent call last):") {
        error = { file: null, line: null, message: null };
        isNamed = false;
        isOpen = true;
        return;
      }
      if (!isOpen || line === "") return;
      if (!line.startsWith(" ")) {
        error = { ...error, message: withoutAssertion(line) };
        isOpen = false;
        return;
      }
      const [, file, at, called] = frame.exec(line) ?? [];
      if (file === undefined || isNamed) return;
      isNamed = name !== null && called === name;
      error = { ...error, file, line: Number(at) };
    },
    end: () => error,
  };
}

const frame = /^ {2}File "([^"]{1,500})", line (\d{1,9})(?:, in (\S{1,200}))?/;

/** Message of an exception without its assertion type, which adds nothing for a failed test. */
export const withoutAssertion = (text: string): string =>
  text.startsWith(assertion) && text.length > assertion.length ? text.slice(assertion.length) : text;

const assertion = "AssertionError: ";

/** The runner of Python's standard library, and runners with the same output, such as Django's. */
export const unittest: ToolReader = { tool: "unittest", kind: "tests", open: openUnittest };

/** `test_total (shop.CartTest.test_total) [words] (count=2)`; before Python 3.11, the brackets lack the last name. */
const title = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S{1,300}) \(([^\s()]{1,500})\)(?: (.{1,500}))?$/;
const ranLine = /^Ran (\d{1,9}) tests? in \d/;
const verdict = /^(?:FAILED|OK|NO TESTS RAN)(?: \((.{1,200})\))?$/;
const rule = "=".repeat(70);

/** A module that cannot be imported appears as a test of this class. */
const loader = "unittest.loader._FailedTest";

interface Failure {
  readonly id: string;
  readonly unexpected: boolean;
  readonly traceback: SaidReader;
}

function openUnittest(): LineReader {
  const findings = listFindings();
  let isAfterRule = false;
  let failure: Failure | null = null;
  let ran: number | null = null;
  const close = (): void => {
    if (failure === null) return;
    const { id, unexpected, traceback } = failure;
    const said = traceback.end();
    findings.add({ id, ...said, message: said.message ?? (unexpected ? "was expected to fail" : null) });
    failure = null;
  };
  return {
    read: (text) => {
      if (isAfterRule) {
        isAfterRule = false;
        failure = openFailure(text);
        return;
      }
      if (text.startsWith(rule)) {
        isAfterRule = text === rule;
        if (isAfterRule) close();
        return;
      }
      if (text.startsWith("Ran ")) {
        const [, number] = ranLine.exec(text) ?? [];
        if (number !== undefined) {
          close();
          ran = Number(number);
        }
        return;
      }
      failure?.traceback.read(text);
      if (ran === null || text === "") return;
      const [whole, told = ""] = verdict.exec(text) ?? [];
      if (whole !== undefined) {
        const count = valuesIn(told);
        const [failed, skipped] = [count("failures", "errors", "unexpected successes"), count("skipped")];
        findings.count({ passed: ran - failed - skipped, failed, skipped });
      }
      ran = null;
    },
    end: () => {
      close();
      return findings.end();
    },
  };
}

function openFailure(text: string): Failure | null {
  const [, kind, method, holder, subtest] = title.exec(text) ?? [];
  if (kind === undefined || method === undefined || holder === undefined) return null;
  const name = nameOf(method, holder);
  return {
    id: subtest === undefined ? name : `${name} ${subtest}`,
    unexpected: kind === "UNEXPECTED SUCCESS",
    traceback: readTraceback(method),
  };
}

function nameOf(method: string, holder: string): string {
  if (holder === loader || holder === `${loader}.${method}`) return method;
  return holder.endsWith(`.${method}`) ? holder : `${holder}.${method}`;
}
