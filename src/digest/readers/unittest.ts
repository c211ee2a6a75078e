import { listFindings } from "../finding-list.ts";
import { readTraceback, type TracebackReader } from "../python-traceback.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The runner of Python's standard library, and those that print as it does, such as Django's. */
export const unittest: ToolReader = { tool: "unittest", kind: "tests", open: openUnittest };

/** `test_total (shop.CartTest.test_total) [words] (count=2)`; before Python 3.11 without the last name in brackets. */
const title = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S{1,300}) \(([^\s()]{1,500})\)(?: (.{1,500}))?$/;
const ranLine = /^Ran (\d{1,9}) tests? in \d/;
const verdict = /^(?:FAILED|OK) \((.{1,200})\)$/;
const rule = "=".repeat(70);

/** A module that cannot be imported is a test of this class. */
const loader = "unittest.loader._FailedTest";

interface Failure {
  readonly id: string;
  readonly unexpected: boolean;
  readonly traceback: TracebackReader;
}

function openUnittest(): LineReader {
  const findings = listFindings();
  let isAfterRule = false;
  let failure: Failure | null = null;
  let ran: number | null = null;
  let counts: { failed: number; ran: number } | null = null;
  const close = (): void => {
    if (failure === null) return;
    const { id, unexpected, traceback } = failure;
    const { file, line, message } = traceback.end();
    const said = unexpected ? "was expected to fail" : "failed";
    findings.add({ id, file, line, message: message ?? said });
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
      const [, told] = verdict.exec(text) ?? [];
      if (told !== undefined) counts = sumUp(counts, ran, told);
      ran = null;
    },
    end: () => {
      close();
      return findings.end(counts ?? {});
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

function sumUp(before: { failed: number; ran: number } | null, tests: number, told: string) {
  const numbers = new Map(told.split(", ").map((part) => part.split("=") as [string, string | undefined]));
  const numberOf = (name: string): number => Number(numbers.get(name) ?? 0) || 0;
  const failed = numberOf("failures") + numberOf("errors") + numberOf("unexpected successes");
  return {
    failed: (before?.failed ?? 0) + failed,
    ran: (before?.ran ?? 0) + tests - numberOf("skipped"),
  };
}
