import type { Reply, ServiceProblem } from "../model/reply.ts";
import { readServiceProblem, serviceProblem } from "./service-problem.ts";

/** Shell exit code for a program that is not executable. */
const mayNotRun = 126;
/** Shell exit code for a missing program. */
const notThere = 127;

const usageErrors: readonly RegExp[] = [
  /^(?:[\w./-]{1,60}: )?(?:(?:error|fatal|usage error): )?(?:unknown|unrecognized|unrecognised|invalid|illegal|unexpected|bad|unsupported|no such) (?:long |short |shorthand |command[- ]line )?(?:option|flag|argument|parameter|switch|command|subcommand)s?\b/i,
  /^(?:[\w./-]{1,60}: )?(?:error: )?(?:flag provided but not defined|flag needs an argument|missing (?:required )?(?:argument|option|flag)|the following (?:required )?arguments (?:were not provided|are required)|option .{1,80} (?:requires an argument|argument missing|is (?:unknown|ambiguous|invalid)))/i,
  /^(?:[\w./-]{1,60}: )?(?:error: )?(?:found argument|the (?:argument|option|flag)|argument|option) ['"`]?-{1,2}.{1,80}(?:wasn't expected|isn't valid|cannot be used|is not (?:known|recognized|supported|valid)|not recognized)/i,
];

/** Number of lines to inspect at each end of an output for a usage error; a help text may surround the error. */
const looked = 6;
const longestLine = 1000;

/**
 * Derive from the end of an executor why the executor did not start: missing, not executable, or wrong command line.
 *
 * @returns Null if the executor started, or if the reason is unclear.
 */
export function startTrouble({ text, stderr = "", exitCode = 0, ended = "exit" }: Reply): ServiceProblem | null {
  if (ended !== "exit" || exitCode === 0) return null;
  const [errors, messages] = [linesOf(stderr), linesOf(text)];
  if (exitCode === mayNotRun || exitCode === notThere) {
    if (/permission denied/i.test(stderr)) return serviceProblem("permission", "The executor is not executable", null);
    const said = errors.at(-1) ?? messages.at(-1) ?? "it cannot run";
    return serviceProblem("startup", `exit ${exitCode}: ${said}`, null);
  }
  // Prefer the message: stderr also has output of the tools of an agent that has worked.
  const usage = messages.length === 0 ? errors : messages;
  const line = endsOf(usage).find((each) => usageErrors.some((form) => form.test(each)));
  return line === undefined ? null : serviceProblem("startup", line, null);
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.slice(0, longestLine).trim())
    .filter((line) => line !== "");

const endsOf = (lines: readonly string[]): readonly string[] =>
  lines.length <= 2 * looked ? lines : [...lines.slice(0, looked), ...lines.slice(-looked)];

const mostLines = 5;
const mostText = 1000;
const ofAgent = /^(?:I|I've|We|The|Added|Changed|Created|Fixed|Handled|Implemented|Made|Updated|Wrote)\b/;
const claims = /_COMPLETE|_PASS|FAIL|BLOCKED/;

/**
 * Parse the message that a known tool prints on stdout instead of working, about login, credit, limits, model or
 * options. A long message, or a message that reports on the task, comes from the agent.
 *
 * @param now Milliseconds since 1970.
 */
export function readToolMessage(
  { text, exitCode = 0, ended = "exit" }: Pick<Reply, "text" | "exitCode" | "ended">,
  now: number,
): ServiceProblem | null {
  const lines = linesOf(text);
  const most = exitCode === 0 ? 1 : mostLines;
  if (ended !== "exit" || lines.length > most || text.length > mostText || claims.test(text)) return null;
  if (exitCode === 0 && ofAgent.test(lines[0] ?? "")) return null;
  for (const line of lines.toReversed()) {
    const found = readServiceProblem(line, now);
    if (found === null) continue;
    // Search all lines for the time, which may be on a line of its own.
    const until = found.until ?? readServiceProblem(lines.join(" "), now, found.kind)?.until ?? null;
    return serviceProblem(found.kind, line, until);
  }
  return null;
}
