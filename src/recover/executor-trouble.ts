import type { Reply, ServiceProblem } from "../model/reply.ts";
import { readServiceProblem, serviceProblem } from "./service-problem.ts";

/** Exit codes of shells for a program that may not be run, and for one that is not there. */
const mayNotRun = 126;
const notThere = 127;

/** What programs say of a command line that they do not understand. */
const usageErrors: readonly RegExp[] = [
  /^(?:[\w./-]{1,60}: )?(?:(?:error|fatal|usage error): )?(?:unknown|unrecognized|unrecognised|invalid|illegal|unexpected|bad|unsupported|no such) (?:long |short |shorthand |command[- ]line )?(?:option|flag|argument|parameter|switch|command|subcommand)s?\b/i,
  /^(?:[\w./-]{1,60}: )?(?:error: )?(?:flag provided but not defined|flag needs an argument|missing (?:required )?(?:argument|option|flag)|the following (?:required )?arguments (?:were not provided|are required)|option .{1,80} (?:requires an argument|argument missing|is (?:unknown|ambiguous|invalid)))/i,
  /^(?:[\w./-]{1,60}: )?(?:error: )?(?:found argument|the (?:argument|option|flag)|argument|option) ['"`]?-{1,2}.{1,80}(?:wasn't expected|isn't valid|cannot be used|is not (?:known|recognized|supported|valid)|not recognized)/i,
];

/** Lines at each end of an output in which a usage error stands: help may come before or after it. */
const looked = 6;
const longestLine = 1000;

/**
 * What kept an executor from beginning at all, by how it ended: it is not there, may not be run, or does not know its
 * own command line.
 *
 * @returns Null when it began, or when that is not clear.
 */
export function startTrouble({ text, stderr = "", exitCode = 0, ended = "exit" }: Reply): ServiceProblem | null {
  if (ended !== "exit" || exitCode === 0) return null;
  const [errors, messages] = [linesOf(stderr), linesOf(text)];
  if (exitCode === mayNotRun || exitCode === notThere) {
    if (/permission denied/i.test(stderr)) return serviceProblem("permission", "The executor may not be run", null);
    const said = errors.at(-1) ?? messages.at(-1) ?? "it cannot be run";
    return serviceProblem("startup", `exit ${exitCode}: ${said}`, null);
  }
  // What an agent ran prints to stderr, too: it has worked when it has said something itself.
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

/** Lines and characters of a message that says why a tool did not begin. */
const mostLines = 5;
const mostText = 1000;
const ofAgent = /^(?:I|I've|We|The|Added|Changed|Created|Fixed|Handled|Implemented|Made|Updated|Wrote)\b/;
const claims = /_COMPLETE|_PASS|FAIL|BLOCKED/;

/**
 * What a known tool says on stdout in place of working: of its login, its credit, its limits, its model or its options.
 * A message that is long, or that says how the task went, is one of its agent.
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
    // The time may stand on a line of its own.
    const until = found.until ?? readServiceProblem(lines.join(" "), now, found.kind)?.until ?? null;
    return serviceProblem(found.kind, line, until);
  }
  return null;
}
