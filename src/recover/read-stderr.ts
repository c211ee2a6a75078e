import type { ServiceProblem } from "../model/service-problem.ts";
import { withoutEscapes } from "./last-line.ts";
import { readResetTime } from "./read-reset-time.ts";
import { serviceProblem } from "./read-service-problem.ts";
import { isAboutProvider, kindOfMessage, type ServiceKind } from "./service-kind.ts";

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
