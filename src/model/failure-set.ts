import * as z from "zod";
import { hashText } from "./text.ts";

/** Maximum length of each text of a failed check, in code points; the rest is cut. */
export const longestText = 500;

/** A failed check, as a tool reports it: a test, a compiler error, a linter finding. Texts are untrusted. */
export const FailedCheck = z.object({
  /** The reporting tool, such as `pytest`; `junit` for a JUnit XML report. */
  tool: z.string(),
  /**
   * Id of the check within its tool. The id stays the same while the check fails, so it has no line number, duration or
   * address.
   */
  id: z.string(),
  /** The file of the check, with the path as the tool writes it; null if none. */
  file: z.string().nullable(),
  /** Counted from 1. */
  line: z.int().nullable(),
  /** The problem: one line, never empty. */
  message: z.string(),
  /** Expected value; given only together with `actual`. */
  expected: z.string().optional(),
  actual: z.string().optional(),
});
export type FailedCheck = z.infer<typeof FailedCheck>;

/** Source of the failed checks in a digest. */
export const DigestSource = z.enum([
  /** A known tool named the failed checks. */
  "tools",
  /** A known tool or a summary line counted the failed checks without naming them. */
  "count",
  /** Lines that the command's last passed run did not print. */
  "passing-run",
  /** Lines that the command's last run, a failed one, did not print. */
  "failing-run",
  /** The last output line. */
  "last-line",
  /** There was no output. */
  "nothing",
]);
export type DigestSource = z.infer<typeof DigestSource>;

/** Failures in the output of a command. Plain JSON of bounded size. */
export const OutputDigest = z.object({
  source: DigestSource,
  /** Listed failures; tool and id are unique. */
  failures: z.array(FailedCheck),
  /** Number of all failures, listed or not; null if unknown. */
  failed: z.int().min(0).nullable(),
  /** Number of checks run; null if the tools do not report it. */
  ran: z.int().min(0).nullable(),
  /** Beginning and end of the output; `tail` is empty if `head` holds all of it. */
  head: z.string(),
  tail: z.string(),
});
export type OutputDigest = z.infer<typeof OutputDigest>;

/** Maximum number of names per set; a larger set keeps only its size. */
const mostIds = 200;

/** The failed checks of one run of a command. Plain JSON of bounded size. */
export const FailureSet = z.object({
  /** The tools that name or count its members, sorted and joined by `+`: counts of the same stage are comparable. */
  stage: z.string(),
  /** Number of members. */
  count: z.int().min(1),
  /** Names of the members, 16 hex digits each, sorted; null if only the number is known. */
  ids: z.array(z.string()).nullable(),
  /** Number of checks run; null if unknown. */
  ran: z.int().min(0).nullable(),
});
export type FailureSet = z.infer<typeof FailureSet>;

/** Change from the previous failure set. `first`: there was none before. */
export const Change = z.enum(["first", "progress", "moved", "same"]);
export type Change = z.infer<typeof Change>;

/** Words for a change, for people and prompts. */
export const changeWords: Readonly<Record<Change, string>> = {
  first: "",
  progress: ", progress",
  moved: ", different checks",
  same: ", the same checks",
};

/** Name of a check in a failure set. */
export const nameOfCheck = ({ tool, id }: Pick<FailedCheck, "tool" | "id">): string =>
  hashText(`${tool} ${id}`) + hashText(`${id} ${tool}`);

/** The failure set of an output; null if no tool names or counts failures. */
export function failureSetOf({ source, failures, failed, ran }: OutputDigest): FailureSet | null {
  if (source !== "tools" && source !== "count") return null;
  const isNamed = source === "tools";
  // Lines listed with a count only describe it; they are not members.
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

/** Shell exit codes for death by a signal: SIGILL, ABRT, BUS, FPE, KILL, SEGV and TERM. */
const crashes = new Set([132, 134, 135, 136, 137, 139, 143]);

/** End of a command run, and the digest of its output. */
export interface EndedRun {
  /** Null if a signal or limit ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly digest: OutputDigest | null;
}

/** The failure set of a complete run; null after a time limit or crash, since only some of the checks ran. */
export function setOfRun({ exitCode, timedOut, digest }: EndedRun): FailureSet | null {
  const isCut = timedOut || exitCode === null || crashes.has(exitCode);
  return isCut || digest === null ? null : failureSetOf(digest);
}

/**
 * Compare failure sets: `progress` if members were lost and none gained, `same` for equal members, else `moved`.
 * Without names, numbers of the same stage are compared. On sets with names, progress is a strict order: antisymmetric
 * and transitive.
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
