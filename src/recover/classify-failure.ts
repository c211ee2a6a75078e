import type { Failure, FailureKind } from "../model/failure.ts";
import type { Ending, Reply, ServiceProblem } from "../model/reply.ts";
import { startTrouble } from "./executor-trouble.ts";
import { isAboutProvider, kindOfMessage, readResetTime, type ServiceKind, serviceProblem } from "./service-problem.ts";

/** What a terminal takes for colours and the like. */
const escapes = /\p{Cc}\[[\d;]{0,20}[A-Za-z]/gu;

/** A line without what only a terminal understands. */
const withoutEscapes = (line: string): string => line.replace(escapes, "");

/** Characters at the end of a text that are looked at. */
const looked = 4096;

/** The last line of a text on which something stands; null without one. Of a very long line the end. */
export function lastLine(text: string): string | null {
  const lines = withoutEscapes(text.slice(-looked))
    .split(/[\r\n]/)
    .map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}

/** Lines at the end in which a program says why it gave up. */
const lastLines = 20;
/** Characters of it that are looked at, and of a line. */
const readAtEnd = 16 * 1024;
const readOfLine = 1000;

/**
 * What kept a failed executor from working, from the end of its stderr.
 *
 * Tools that it ran may print there too. So a report of tests tells nothing, nor do code, diffs, stack frames, what
 * package managers and git say of servers of their own, and that a host of this machine or of its network cannot be
 * reached, unless it is said of the provider.
 *
 * @param now Milliseconds since 1970; without it no reset time is read.
 * @returns Null when nothing of that kind is said.
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

/** What any program says, whomever it talks to. */
const ofAnyProgram = /\bis the computer able to access the url\b/i;

/** Services of the project itself, which its code and tests talk to. */
const ownHost =
  /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d)|::1\b|\.(?:invalid|test|local)\b|\b(?:ENOTFOUND|EAI_AGAIN) [\w-]{1,63}(?![\w.-])/i;

function kindOfLine(line: string): ServiceKind | null {
  if (foreign.test(line)) return null;
  const kind = kindOfMessage(line);
  if (kind === "offline") return isAboutProvider(line) || !isOfProject(line) ? kind : null;
  return otherServers.test(line) ? null : kind;
}

const isOfProject = (line: string): boolean => ownHost.test(line) || ofAnyProgram.test(line);

/** What a failure is, and how long the executor cannot work. */
export interface FailureClass {
  readonly kind: FailureKind;
  /** When what kept the executor from working is over, in milliseconds since 1970; null when that is not known. */
  readonly until: number | null;
  /** What the executor's service said, one line; null when the executor did work. */
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

/** Ends after which stderr is asked: it gave up by itself, or was ended while it went on trying. */
const triedOn = new Set<Ending>(["exit", "timeout", "idle"]);

/**
 * The kind of a failure, told from how the executor ended: from the problem it states in a form made for programs, else
 * from its stderr when it ended by itself with another exit code than 0, or took too long, and has said nothing of the
 * task. What it wrote is not asked but for whether it says how the task went.
 *
 * @param now Milliseconds since 1970; without it no reset time is read from stderr.
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

/** Whether the executor claims the task or states its failure on some line: then it came as far as to work on it. */
const saysHow = (text: string): boolean =>
  /_COMPLETE|_PASS|FAIL/.test(text) &&
  text.split("\n").some((line) => signal.test(line) || (heading.test(line) && line.includes("FAILED")));

const signal = /^\s{0,20}(?:(?:ALL_)?TASKS?_COMPLETE|(?:VERIFICATION|REVIEW)_(?:PASS|FAIL))\s{0,20}$/;

const heading = /^[ \t*_#>-]{0,20}Task \S/;
