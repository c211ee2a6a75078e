import { type Failure, type FailureEvidence, type FailureField, type FixTask, madeForOf } from "../model/failure.ts";
import type { FailedCheck, FailureSet } from "../model/failure-set.ts";
import { fixId, type Task, type TaskId } from "../model/task.ts";
import { clamp, fingerprint, shorten } from "../model/text.ts";
import { renderCheck } from "./verify-error.ts";

type ErrorType =
  | "syntax"
  | "type"
  | "missing file"
  | "missing dependency"
  | "test"
  | "lint"
  | "timeout"
  | "permission"
  | "network"
  | "error";

const looked = 2000;

/** Two expressions, matched one after the other on a line: a single expression would take quadratic time. */
type Pair = readonly [first: RegExp, then: RegExp];

/** The first match counts, so specific signs come first. */
const signs: readonly (readonly [type: ErrorType, sign: RegExp, pair?: Pair])[] = [
  [
    "permission",
    /\b(?:EACCES|EPERM|EROFS)\b|permission denied|operation not permitted|access denied|unauthorized|forbidden/i,
  ],
  ["timeout", /\bE?TIMED?[ -]?OUT\b|\bdeadline exceeded/i],
  [
    "network",
    /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE)\b|\bnetwork (?:error|is unreachable|unreachable|request failed)|connection (?:refused|reset|closed)|socket hang up|fetch failed|could not resolve host/i,
  ],
  [
    "missing file",
    /cannot find module ['"`]?\.{0,2}\/|module not found:.{0,40}['"`]\.{1,2}\/|could not resolve ['"`]\.{1,2}\//i,
  ],
  [
    "missing dependency",
    /cannot find (?:module|package)|module not found|no module named|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|unresolved import|missing (?:dependency|package|module)|command not found|: not found$|could not resolve dependency/i,
    [/package /i, /. is not (?:in|installed)/i],
  ],
  [
    "missing file",
    /\bENOENT\b|no such file|(?:file|path|directory|folder) (?:was )?(?:not found|does not exist|is missing|missing)|(?:missing|cannot find|could not find|cannot open) (?:the )?(?:file|path|directory|folder)/i,
  ],
  [
    "syntax",
    /syntax ?error|unexpected (?:token|end of|identifier|eof|indent)|parse error|parsing error|unterminated|\bTS1\d{3}\b/i,
  ],
  ["lint", /\b(?:es|ox|style)?lint(?:er|ing)?\b|\beslint\b|\bbiome\b|\bprettier\b|\bruff\b|\bclippy\b|\bflake8\b/i],
  [
    "type",
    /type ?error|\bTS\d{4}\b|not assignable|type ?check|mismatched types|does not exist on type|implicitly has an? ['"`]any/i,
    [/\btypes?\b/i, /.(?:mismatch|incompatible)/i],
  ],
  [
    "test",
    /\btests?\b|\bspecs? failed|assertion|\bassert\b|\bjest\b|\bvitest\b|\bpytest\b/i,
    [/\bexpected\b/i, /.\b(?:received|got|but|to)\b/i],
  ],
];

export function classifyError(error: string): ErrorType {
  const text = error.slice(0, looked);
  return (
    signs.find(([, sign, pair]) => sign.test(text) || (pair !== undefined && holdsPair(text, pair)))?.[0] ?? "error"
  );
}

function holdsPair(text: string, [first, then]: Pair): boolean {
  return text.split(/[\r\n]/).some((line) => {
    const found = first.exec(line);
    return found !== null && then.test(line.slice(found.index + found[0].length));
  });
}

const maxSummary = 50;
const maxText = 500;

/** The parts of a failure that a fix task needs. */
export interface FixCause extends Pick<Failure, "kind" | "error" | "attemptedFix"> {
  /** Fields that hold fallback values; none by default. */
  readonly unstated?: readonly FailureField[] | undefined;
  readonly reported?: string | undefined;
  readonly failing?: FailureSet | undefined;
  readonly evidence?: FailureEvidence | undefined;
  /** Derived from the error if not given. */
  readonly fingerprint?: string | undefined;
}

export interface FixTaskSource {
  /** The task to repair. The caller removes a Verify that cannot run. */
  readonly task: Pick<Task, "id" | "title" | "fields">;
  readonly failure: FixCause;
  /** Number among the fix tasks of `task`, from 1. */
  readonly attempt: number;
  /** Commit scope; if not given, the scope in the task's own `Commit` field, else the spec's name. */
  readonly scope?: string | null;
  readonly spec?: string;
  /** The superseded fix task; null or not given if the new fix task supersedes none. */
  readonly supersedes?: TaskId | null;
}

/**
 * Write the fix task for a failed task. The texts of the fix task come from the executor, shortened but not encoded;
 * the `Files` and `Verify` fields come from the failed task.
 *
 * @see docs/formats.md
 */
export function writeFixTask({ task, failure, attempt, scope, spec, supersedes = null }: FixTaskSource): FixTask {
  const command = failure.evidence?.command ?? null;
  const failures = command?.source === "tools" ? command.failures : [];
  const [first] = failure.failing === undefined ? [] : failures;
  // The last output line says more than that Verify failed.
  const last = command === null || command.source === "tools" || command.timedOut ? undefined : command.failures.at(-1);
  const error = first === undefined ? (last?.message ?? stated(failure, "error")) : renderCheck(first);
  const type =
    failure.kind === "timeout"
      ? "timeout"
      : classifyError(first === undefined ? (error ?? "") : `${first.tool}: ${error}`);
  const area = [scope, scopeOf(task.fields.commit), spec].find((name) => filled(name) !== null) ?? "recovery";
  return {
    id: fixId(task.id, attempt),
    fixOf: task.id,
    summary: shorten(filled(error) ?? `task ${task.id} failure`, maxSummary),
    error: clamp(error ?? "Task execution failed", maxText),
    attemptedFix: clamp(analysisOf(failure, supersedes), maxText),
    doneWhen: clamp(doneWhen(error ?? "Task execution failed", failure, failures), maxText),
    files: filled(task.fields.files) ?? pathsOf(task),
    verify: filled(task.fields.verify),
    commit: `fix(${area}): address ${type} from task ${task.id}`,
    madeFor: madeForOf({ ...failure, fingerprint: failure.fingerprint ?? fingerprint(failure.error) }),
    ...(supersedes !== null && { supersedes }),
  };
}

const mostNamed = 8;

/**
 * The `Done when` field of a fix task: the first failed check passes and no new check fails. Without named checks: the
 * error no longer occurs.
 */
function doneWhen(error: string, { failing }: FixCause, failures: readonly FailedCheck[]): string {
  const [first, ...others] = failures.map(({ id }) => clamp(id, maxText / mostNamed));
  if (failing === undefined || first === undefined) return `Error "${clamp(error, maxText - 40)}" no longer occurs`;
  const named = others.slice(0, mostNamed - 1);
  const more = failing.count - 1 - named.length;
  const rest = [...named, ...(more > 0 ? [`and ${more} more`] : [])];
  return `${first} no longer fails, and no other check fails${rest.length === 0 ? "" : ` except: ${rest.join("; ")}`}`;
}

/** The error that the executor reports in addition to the error of Verify, and the attempted fix. */
function analysisOf(failure: FixCause, supersedes: TaskId | null): string {
  const tried = stated(failure, "attemptedFix") ?? fallbackFor(supersedes);
  const reported = filled(failure.reported);
  return reported === null ? tried : `${reported.replace(/[.]$/, "")}. ${tried}`;
}

const fallbackFor = (supersedes: TaskId | null): string =>
  supersedes === null ? "No previous fix attempted" : `Fix task ${supersedes} was not enough`;

const stated = (failure: FixCause, field: "error" | "attemptedFix"): string | null =>
  failure.unstated?.includes(field) === true ? null : filled(failure[field]);

function filled(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

/** `parser` of a `Commit` field such as `feat(parser): add parser`. */
const scopeOf = (commit: string | undefined): string | undefined =>
  /^[`*\s]*[A-Za-z]{1,20}\(([^()\r\n`]{1,50})\)!?:/.exec(commit ?? "")?.[1];

const mostPaths = 8;

/** File paths in the title, else in the steps and the result; `.` if there are none. */
function pathsOf({ title, fields }: Pick<Task, "title" | "fields">): string {
  const named = pathsIn(title);
  const paths = named.length > 0 ? named : pathsIn([fields.do, fields.doneWhen].join(" "));
  return paths.slice(0, mostPaths).join(", ") || ".";
}

const pathsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s`'"()[\]<>,;*]+/)
      .filter((word) => word.length <= 300 && /^[\w@.-]*(?:\/[\w@.-]+)+\.[A-Za-z]\w{0,9}[.:]?$/.test(word))
      .map((word) => word.replace(/[.:]$/, "")),
  ),
];
