import type { Failure, FailureKind } from "../model/failure.ts";
import type { Ending, Reply, ServiceProblem } from "../model/reply.ts";
import { startTrouble } from "./executor-trouble.ts";
import { isAboutProvider, kindOfMessage, readResetTime, type ServiceKind, serviceProblem } from "./service-problem.ts";

const escapes = /\p{Cc}\[[\d;]{0,20}[A-Za-z]/gu;

const withoutEscapes = (line: string): string => line.replace(escapes, "");

/** Length of the inspected end of a text, in characters. */
const looked = 4096;

/** The last non-empty line of a text; null if there is none. A very long line is cut at its start. */
export function lastLine(text: string): string | null {
  const lines = withoutEscapes(text.slice(-looked))
    .split(/[\r\n]/)
    .map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}

/** Number of last lines in which a program explains why it gave up. */
const lastLines = 20;
const readAtEnd = 16 * 1024;
const readOfLine = 1000;

/**
 * Derive the problem that kept a failed executor from working, from the end of stderr.
 *
 * The executor's tools may print to stderr, too. So test reports, code, diffs, stack frames, and messages of package
 * managers and git about their servers are ignored. A message about an unreachable local host counts only if the
 * message names the provider.
 *
 * @param now Milliseconds since 1970; without it, no reset time is read.
 * @returns Null if no message shows such a problem.
 */
export function readStderr(stderr: string, now?: number): ServiceProblem | null {
  const lines = stderr
    .slice(-readAtEnd)
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== "" && !stackFrame.test(line));
  const end = lines.slice(-lastLines).map((line) => withoutEscapes(line.slice(0, readOfLine)).trim());
  if (end.some((line) => testReport.test(line))) return null;
  for (const line of end.toReversed()) {
    const kind = kindOfLine(line);
    if (kind === null) continue;
    const until = now === undefined ? null : (readResetTime(line, now) ?? readResetTime(end.join("\n"), now));
    return serviceProblem(kind, line, until);
  }
  return null;
}

const stackFrame = /^\s{0,20}(?:at \S|File ")/;

const testReport =
  /AssertionError|\bassert(?:ion)? failed|\bexpect\(|^(?:Tests?|Test Files|Test Suites|Tests run):? {1,8}\d|^--- FAIL|^FAIL(?:ED)? |^not ok \d|^\d{1,9} (?:tests? )?(?:failing|passing|passed)\b|\b\d{1,9} tests? failed\b|\.(?:test|spec)\.[jt]sx?\b/i;

const foreign = /^(?:[-+<>|✓✗×●$#]|\/\/|\d{1,6} ?\|)|===|=>|[;{]$|\b(?:expected|received|actual)\b/i;

const otherServers = /^(?:(?:npm|pnpm|yarn|pip|cargo|docker|gradle|gh)\b|(?:fatal|remote|go):)/i;

const ofAnyProgram = /\bis the computer able to access the url\b/i;

/** Services of the project itself, used by its code and tests. */
const ownHost =
  /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d)|::1\b|\.(?:invalid|test|local)\b|\b(?:ENOTFOUND|EAI_AGAIN) [\w-]{1,63}(?![\w.-])/i;

function kindOfLine(line: string): ServiceKind | null {
  if (foreign.test(line)) return null;
  const kind = kindOfMessage(line);
  if (kind === "offline") return isAboutProvider(line) || !isOfProject(line) ? kind : null;
  return otherServers.test(line) ? null : kind;
}

const isOfProject = (line: string): boolean => ownHost.test(line) || ofAnyProgram.test(line);

/** Kind of a failure, and how long the executor is unavailable. */
export interface FailureClass {
  readonly kind: FailureKind;
  /** When the problem ends, in milliseconds since 1970; null if unknown. */
  readonly until: number | null;
  /** Message of the executor's service, one line; null if the executor worked. */
  readonly message: string | null;
}

const kinds: Record<Ending, FailureKind | null> = {
  exit: null,
  timeout: "timeout",
  idle: "timeout",
  flood: "timeout",
  signal: "crash",
  spawn: "crash",
};

/** Endings after which stderr is read: the executor gave up, or was ended during its retries. */
const triedOn = new Set<Ending>(["exit", "timeout", "idle"]);

/**
 * Classify a failure by the problem in the executor's structured output. Without such a problem, stderr decides if the
 * executor exited with a non-zero code or timed out without a report on the task. In all other cases, the ending of the
 * executor decides. The final message only shows whether the executor reported on the task.
 *
 * @param now Milliseconds since 1970; without it, no reset time is read from stderr.
 */
export function classifyFailure(
  { reply, failure }: { reply: Reply; failure: Pick<Failure, "kind"> },
  now?: number,
): FailureClass {
  const { text, stderr = "", exitCode = 0, ended = "exit", problem, claim } = reply;
  const gaveUp = triedOn.has(ended) && (ended !== "exit" || exitCode !== 0);
  const isSilent = claim === undefined && !saysHow(text);
  const told = problem ?? (gaveUp && isSilent ? (readStderr(stderr, now) ?? startTrouble(reply)) : null);
  if (told !== null) return { kind: told.kind, until: told.until ?? null, message: told.message };
  const silent = exitCode !== 0 && `${text}${stderr}`.trim() === "";
  return { kind: kinds[ended] ?? (silent ? "crash" : failure.kind), until: null, message: null };
}

/** Whether a line claims completion or reports a failure, which shows that the executor reached the task. */
const saysHow = (text: string): boolean =>
  /_COMPLETE|_PASS|FAIL/.test(text) &&
  text.split("\n").some((line) => signal.test(line) || (heading.test(line) && line.includes("FAILED")));

const signal = /^\s{0,20}(?:(?:ALL_)?TASKS?_COMPLETE|(?:VERIFICATION|REVIEW)_(?:PASS|FAIL))\s{0,20}$/;

const heading = /^[ \t*_#>-]{0,20}Task \S/;
