import * as z from "zod";
import type { FailedCheck, OutputDigest } from "./failed-check.ts";
import { hashText } from "./hash-text.ts";

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
  const count = Math.max(failed ?? 0, failures.length);
  if (count === 0) return null;
  const isNamed = source === "tools";
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
