import type { Failure, FailureKind } from "../model/failure.ts";
import type { Ending, Reply } from "../model/reply.ts";
import type { ServiceProblem } from "../model/service-problem.ts";
import { readStderr } from "./read-stderr.ts";

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
  const told = problem ?? (gaveUp && isSilent ? tellOf(reply, now) : null);
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

/** What shells exit with when a program may not be run. */
const mayNotRun = 126;

function tellOf({ stderr = "", exitCode }: Reply, now: number | undefined): ServiceProblem | null {
  const said = readStderr(stderr, now);
  if (said !== null || exitCode !== mayNotRun || !/permission denied/i.test(stderr)) return said;
  return { kind: "permission", message: "The executor may not be run" };
}
