import { listFindings } from "../finding-list.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** `dotnet test`, as VSTest prints for people. */
export const dotnetTest: ToolReader = { tool: "dotnet test", kind: "tests", open: openDotnetTest };

const opening = "  Failed ";
const duration = /^\[(?:< )?\d[\d.,]{0,12} ?[a-z]{1,3}(?: \d{1,6} ?[a-z]{1,3}){0,3}\]$/;
const lineNumber = /^\d{1,9}$/;
const total = /^(?:Failed|Passed)! {1,4}- Failed: {1,12}(\d{1,9}), Passed: {1,12}(\d{1,9}),/;
const side = /^\s{0,20}(Expected|Actual|But was):\s{0,20}(\S.{0,1000})$/;

interface Failure {
  readonly id: string;
  part: "name" | "message" | "stack";
  message: string | null;
  file: string | null;
  line: number | null;
  expected: string | null;
  actual: string | null;
}

function openDotnetTest(): LineReader {
  const findings = listFindings();
  let failure: Failure | null = null;
  let counts: { failed: number; ran: number } | null = null;
  const close = (): void => {
    if (failure !== null && failure.part !== "name") {
      const { id, file, line, message, expected, actual } = failure;
      const sides = expected !== null && actual !== null ? { expected, actual } : {};
      findings.add({ id, file, line, message: message ?? "failed", ...sides });
    }
    failure = null;
  };
  return {
    read: (line) => {
      if (line.startsWith(opening)) {
        const end = line.lastIndexOf(" [");
        if (end <= opening.length || !duration.test(line.slice(end + 1))) return;
        close();
        const id = line.slice(opening.length, end).trim();
        failure = { id, part: "name", message: null, file: null, line: null, expected: null, actual: null };
      } else if (line.includes("! ") && total.test(line)) {
        close();
        const [, failed, passed] = total.exec(line) ?? [];
        const before = counts ?? { failed: 0, ran: 0 };
        counts = { failed: before.failed + Number(failed), ran: before.ran + Number(failed) + Number(passed) };
      } else if (failure !== null) readDetail(failure, line);
    },
    end: () => {
      close();
      return findings.end(counts ?? {});
    },
  };
}

function readDetail(failure: Failure, line: string): void {
  if (line === "  Error Message:") failure.part = "message";
  else if (line === "  Stack Trace:") failure.part = "stack";
  else if (failure.part === "message") {
    const text = line.trim();
    if (text === "") return;
    failure.message ??= text;
    const [, name, value = null] = side.exec(line) ?? [];
    if (name === "Expected") failure.expected ??= value;
    else if (name !== undefined) failure.actual ??= value;
  } else if (failure.part === "stack" && failure.file === null) {
    const start = line.lastIndexOf(" in ");
    const end = line.lastIndexOf(":line ");
    const at = line.slice(end + ":line ".length);
    if (start === -1 || end <= start || !lineNumber.test(at)) return;
    failure.file = line.slice(start + " in ".length, end);
    failure.line = Number(at);
  }
}
