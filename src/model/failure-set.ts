import * as z from "zod";
import { hashText } from "./text.ts";

/** Maximum length of each text of a failed check, in code points; the rest is cut. */
export const longestText = 500;

/** A failed check, as a tool reports it: a test, a compiler error or a linter finding. Texts are untrusted. */
export const FailedCheck = z.object({
  /** Tool that reported the check, such as `pytest`; `junit` for a JUnit XML report. */
  tool: z.string(),
  /** Id of the check in its tool. An id has no line number, duration or address, so it stays the same in every run. */
  id: z.string(),
  /** Path of the check's file, as the tool writes it; null if there is none. */
  file: z.string().nullable(),
  /** Counted from 1. */
  line: z.int().nullable(),
  /** One line, never empty. */
  message: z.string(),
  /** Expected value; only together with `actual`. */
  expected: z.string().optional(),
  actual: z.string().optional(),
});
export type FailedCheck = z.infer<typeof FailedCheck>;

export const DigestSource = z.enum([
  /** A known tool named the failed checks. */
  "tools",
  /** A known tool or a summary line gave only the number of failed checks. */
  "count",
  /** Lines that are not in the output of the last passed run. */
  "passing-run",
  /** Lines that are not in the output of the last run, which failed. */
  "failing-run",
  "last-line",
  "nothing",
]);
export type DigestSource = z.infer<typeof DigestSource>;

/** The failures in the output of a command. Plain JSON of bounded size. */
export const OutputDigest = z.object({
  source: DigestSource,
  /** Failures; no two have the same `tool` and `id`. A long list is cut. */
  failures: z.array(FailedCheck),
  /** Number of all failures, including those that `failures` lacks; null if unknown. */
  failed: z.int().min(0).nullable(),
  /** Number of checks that ran; null if the tools do not report it. */
  ran: z.int().min(0).nullable(),
  /** First and last part of the output; `tail` is empty if `head` holds all of it. */
  head: z.string(),
  tail: z.string(),
});
export type OutputDigest = z.infer<typeof OutputDigest>;

/** Maximum number of names in a set. For a larger set, only the number of failures is stored. */
const mostIds = 200;

/** The checks that failed in one run of a command. Plain JSON of bounded size. */
export const FailureSet = z.object({
  /** Tools that name or count the failures, sorted and joined by `+`. Only counts of the same stage are comparable. */
  stage: z.string(),
  count: z.int().min(1),
  /** Names of the failed checks, sorted, 16 hex digits each; null if only their number is known. */
  ids: z.array(z.string()).nullable(),
  /** Number of checks that ran; null if unknown. */
  ran: z.int().min(0).nullable(),
});
export type FailureSet = z.infer<typeof FailureSet>;

/** Change from the previous failure set; `first` without a previous set. */
export const Change = z.enum(["first", "progress", "moved", "same"]);
export type Change = z.infer<typeof Change>;

/** Text after the number of failures, for people and prompts. */
export const changeWords: Readonly<Record<Change, string>> = {
  first: "",
  progress: ", progress",
  moved: ", different checks",
  same: ", the same checks",
};

export const nameOfCheck = ({ tool, id }: Pick<FailedCheck, "tool" | "id">): string =>
  hashText(`${tool} ${id}`) + hashText(`${id} ${tool}`);

/** Failure set of an output; null if no tool names or counts failures. */
export function failureSetOf({ source, failures, failed, ran }: OutputDigest): FailureSet | null {
  if (source !== "tools" && source !== "count") return null;
  const isNamed = source === "tools";
  // If a tool only counts failures, the listed lines describe the count; they are not failed checks.
  const count = isNamed ? Math.max(failed ?? 0, failures.length) : (failed ?? failures.length);
  if (count === 0) return null;
  const tools = isNamed ? [...new Set(failures.map(({ tool }) => tool))].sort() : ["count"];
  return {
    stage: tools.join("+"),
    count,
    ids: isNamed && failures.length === count && count <= mostIds ? failures.map(nameOfCheck).sort() : null,
    ran,
  };
}

/** Exit codes of a shell for death by SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV and SIGTERM. */
const crashes = new Set([132, 134, 135, 136, 137, 139, 143]);

export interface EndedRun {
  /** Null if a signal or a limit ended the command. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly digest: OutputDigest | null;
}

/** Failure set of a complete run; null after a time limit or a crash, since then some checks did not run. */
export function setOfRun({ exitCode, timedOut, digest }: EndedRun): FailureSet | null {
  const isCut = timedOut || exitCode === null || crashes.has(exitCode);
  return isCut || digest === null ? null : failureSetOf(digest);
}

/**
 * Compare two failure sets. `progress`: some checks no longer fail, and no other check newly fails; `same`: equal sets;
 * `moved`: everything else. Sets without names are compared by their counts, if their stages are equal. For sets with
 * names, progress is a strict order: antisymmetric and transitive.
 */
export function compareSets(before: FailureSet, after: FailureSet): Exclude<Change, "first"> {
  if (before.ids !== null && after.ids !== null) {
    const known = new Set(before.ids);
    if (!after.ids.every((id) => known.has(id))) return "moved";
    return after.ids.length < known.size ? "progress" : "same";
  }
  if (before.stage !== after.stage) return "moved";
  if (after.count === before.count) return "same";
  return after.count < before.count ? "progress" : "moved";
}
