import { type LineReader, listFindings, listPlaces, type ToolReader, valuesIn } from "../reader.ts";

/** Human-readable output of `dotnet test`, by VSTest. */
export const dotnetTest: ToolReader = { tool: "dotnet test", kind: "tests", open: openDotnetTest };

const opening = "  Failed ";
const duration = /^\[(?:< )?\d[\d.,]{0,12} ?[a-z]{1,3}(?: \d{1,6} ?[a-z]{1,3}){0,3}\]$/;
const lineNumber = /^\d{1,9}$/;
const total = /^(?:Failed|Passed|Skipped)! {1,4}- (Failed: .{1,200})$/;
const listed = /^ {2}(Passed|Skipped) \S.{0,500} \[(?:< )?\d[^\]]{0,30}\]$/;
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
  const listing = { passed: 0, failed: 0, skipped: 0 };
  let isSummed = false;
  let failure: Failure | null = null;
  const close = (): void => {
    if (failure !== null && failure.part !== "name") {
      const { id, file, line, message, expected, actual } = failure;
      const sides = expected !== null && actual !== null ? { expected, actual } : {};
      findings.add({ id, file, line, message, ...sides });
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
        const count = valuesIn(total.exec(line)?.[1] ?? "");
        findings.count({ passed: count("Passed"), failed: count("Failed"), skipped: count("Skipped") });
        isSummed = true;
      } else if (failure !== null) readDetail(failure, line);
      const [, outcome] = line.startsWith("  ") ? (listed.exec(line) ?? []) : [];
      if (outcome !== undefined) listing[outcome === "Passed" ? "passed" : "skipped"] += 1;
    },
    end: () => {
      close();
      if (!isSummed && listing.passed + listing.skipped > 0) findings.count({ ...listing, failed: findings.size() });
      return findings.end();
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

export const msbuild: ToolReader = { tool: "msbuild", kind: "findings", open: openMsbuild };

const error = /: error ((?:CS|FS|BC|VB|MSB|NETSDK|NU|CA|IDE|SA|RZ|SYSLIB|C|LNK)\d{3,5}): (?=\S)/;
/** `Calc.cs(3,10)`, with a number before it in parallel builds. */
const place = /^(?:\d{1,3}>)?([^\s(:][^(]{0,500})\((\d{1,9})(?:,(\d{1,9}))?(?:,[\d,]{1,30})?\)$/;
const tool = /^(?:\d{1,3}>)?((?:[A-Za-z]:)?[^\s(:][^(:]{0,300})$/;

function openMsbuild(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      if (!line.includes(": error ")) return;
      const match = error.exec(line);
      if (match === null) return;
      const where = line.slice(0, match.index).trim();
      const message = withoutProject(line.slice(match.index + match[0].length));
      const [, file, at, column] = place.exec(where) ?? [];
      if (file !== undefined) places.add({ file, line: Number(at), column, code: match[1], message });
      else {
        const [, name] = tool.exec(where) ?? [];
        if (name !== undefined) places.add({ file: name.trim(), line: null, code: match[1], message });
      }
    },
    end: places.end,
  };
}

/** Remove the project and its target framework from an error: the error is printed for each framework. */
function withoutProject(text: string): string {
  const start = text.endsWith("]") ? text.lastIndexOf(" [") : -1;
  const project = text.slice(start + 2, -1).split("::", 1)[0] ?? "";
  return start > 0 && project.endsWith("proj") ? text.slice(0, start) : text;
}
