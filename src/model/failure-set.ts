import * as z from "zod";
import { hashText } from "./text.ts";

/** Code points kept of each text of a failed check. */
export const longestText = 500;

/** One check that failed, as a tool reports it: a test, a compiler error, a finding of a linter. Texts are untrusted. */
export const FailedCheck = z.object({
  /** The tool that says so, such as `pytest`; `junit` for a report in its XML. */
  tool: z.string(),
  /**
   * What names it among the checks of its tool: the same in the next run as long as it fails, so that it holds no line
   * number, duration or address.
   */
  id: z.string(),
  /** The file it is about, as the tool writes its path; null when it names none. */
  file: z.string().nullable(),
  /** Counted from 1. */
  line: z.int().nullable(),
  /** What is wrong: one line, never empty. */
  message: z.string(),
  /** What was expected and what was found instead, where the tool tells them apart. */
  expected: z.string().optional(),
  actual: z.string().optional(),
});
export type FailedCheck = z.infer<typeof FailedCheck>;

/** How failed checks were found in an output. */
export const DigestSource = z.enum([
  /** A tool that is known has named them. */
  "tools",
  /** A known tool, or a line that counts, has said how many they are, and nobody has named them. */
  "count",
  /** Lines that the last run of the same command that passed did not print. */
  "passing-run",
  /** Lines that the last run of the same command, which failed, did not print. */
  "failing-run",
  /** The last line that was printed. */
  "last-line",
  /** Nothing was printed. */
  "nothing",
]);
export type DigestSource = z.infer<typeof DigestSource>;

/** What the output of a command says of what failed. Plain JSON of bounded size. */
export const OutputDigest = z.object({
  source: DigestSource,
  /** Those that are listed, by tool and id; no two have the same tool and id. */
  failures: z.array(FailedCheck),
  /** How many failed in all, those that are not listed included; null when nobody says. */
  failed: z.int().min(0).nullable(),
  /** How many checks were run, as far as tools say; null when they do not. */
  ran: z.int().min(0).nullable(),
  /** Where the output begins and ends; `tail` is empty when `head` is all of it. */
  head: z.string(),
  tail: z.string(),
});
export type OutputDigest = z.infer<typeof OutputDigest>;

/** Names that are kept of one set; of a larger one only the size is. */
const mostIds = 200;

/** Which checks failed in one run of a command. Plain JSON of bounded size. */
export const FailureSet = z.object({
  /** The tools that name or count its members, sorted and joined by `+`: counts of one stage can be compared. */
  stage: z.string(),
  /** How many there are. */
  count: z.int().min(1),
  /** Their names, 16 hexadecimal digits each, sorted; null where only their number is known. */
  ids: z.array(z.string()).nullable(),
  /** How many checks were run; null when nobody says. */
  ran: z.int().min(0).nullable(),
});
export type FailureSet = z.infer<typeof FailureSet>;

/** How a set of failures came out of the one before it. `first`: there was none before. */
export const Change = z.enum(["first", "progress", "moved", "same"]);
export type Change = z.infer<typeof Change>;

/** The words that tell a change to people and in prompts. */
export const changeWords: Readonly<Record<Change, string>> = {
  first: "",
  progress: ", progress",
  moved: ", different checks",
  same: ", the same checks",
};

/** The name of a check in a set. */
export const nameOfCheck = ({ tool, id }: Pick<FailedCheck, "tool" | "id">): string =>
  hashText(`${tool} ${id}`) + hashText(`${id} ${tool}`);

/** The set that an output tells of; null where no tool names or counts what failed. */
export function failureSetOf({ source, failures, failed, ran }: OutputDigest): FailureSet | null {
  if (source !== "tools" && source !== "count") return null;
  const isNamed = source === "tools";
  // Lines beside a count are what is told of it, not its members.
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

/** Exit codes with which shells tell that a signal has ended a program: SIGILL, ABRT, BUS, FPE, KILL, SEGV and TERM. */
const crashes = new Set([132, 134, 135, 136, 137, 139, 143]);

/** How a command ended, and what its output says. */
export interface EndedRun {
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly digest: OutputDigest | null;
}

/** The set of a run that came to its end. A time limit or a crash leaves a part of the checks only, which is no set. */
export function setOfRun({ exitCode, timedOut, digest }: EndedRun): FailureSet | null {
  const isCut = timedOut || exitCode === null || crashes.has(exitCode);
  return isCut || digest === null ? null : failureSetOf(digest);
}

/**
 * How one set of failures came out of another: `progress` when it lost members and gained none, `same` when it has the
 * same members, else `moved`. Where names are not known their number decides, within one stage. On sets with names
 * progress is a strict order: antisymmetric and transitive.
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
