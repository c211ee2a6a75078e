import type { Guarded, Harm } from "../evidence/guard.ts";
import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { Question } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";
import { clamp, countOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

/** Changes that are named. */
const mostNamed = 6;

/** The exit that is open to whoever finds a test to be wrong. */
const way = "Put it back. If a test contradicts the task, leave it and write `BLOCKED: <test>: <why>`";

/** What an attempt has changed that it may not. */
export interface ToldHarm {
  /** In words for who has done it. */
  readonly reason: string;
  /** In words for a person. */
  readonly question: string;
  readonly rejects: boolean;
}

/** What was changed of what proves a task, or undone of others. */
type Told = Guarded & { readonly restore?: string | null };

/** Tell what an attempt has changed that it may not; null where it has not. @param guard What is done about it. */
export function tellHarm(found: Told | null, guard: "reject" | "warn" | "off" = "off"): ToldHarm | null {
  if (found === null || guard === "off") return null;
  const rejects = guard === "reject" && found.harms.length > 0;
  const undone = found.harms.filter(({ undoes }) => undoes !== undefined);
  const proving = found.harms.filter(({ undoes }) => undoes === undefined);
  const told = list([...found.harms, ...found.shown]);
  if (told === "") return null;
  if (!rejects) return { reason: told, question: told, rejects };
  const tell = (proof: (told: string) => string, work: (told: string) => string): string =>
    [...(proving.length > 0 ? [proof(list(proving))] : []), ...(undone.length > 0 ? [work(list(undone))] : [])].join(
      "; ",
    );
  return {
    reason: tell(
      (what) => `what proves the task was changed: ${what}. ${way}`,
      (what) =>
        `work of other tasks was undone: ${what}. ${found.restore == null ? "Put it back" : `Restore it: ${found.restore}`}`,
    ),
    question: tell(
      (what) => `what proves it was changed twice: ${what}`,
      (what) => `work of other tasks was undone twice: ${what}`,
    ),
    rejects,
  };
}

function list(harms: readonly Harm[]): string {
  const named = harms
    .slice(0, mostNamed)
    .map(({ path, what }) => (path === "" ? escapeText(what) : `${escapeText(path)}: ${escapeText(what)}`));
  return [...named, ...(harms.length > mostNamed ? [`and ${harms.length - mostNamed} more`] : [])].join("; ");
}

/** Checks that are named in a question. */
const mostChecks = 8;

/** The question about checks that were red before the run, and that have nothing to do with a task, or with the plan (null). */
export function tellKnownFailures(task: TaskId | null, checks: readonly string[], address: SpecAddress): Question {
  const more = checks.length - mostChecks;
  return {
    kind: "gate",
    reason: [
      `${task === null ? "The plan" : `Task ${task}`} is done but for what failed before the run: ${countOf(checks.length, "check", "checks")} that it has nothing to do with`,
      ...checks.slice(0, mostChecks).map((check) => `  ${check}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join("\n"),
    hint: [
      `Go on, and list them at the end: ${commandLine(address, "run", { options: ["--known-failures", "ignore"] })}`,
      `Have them repaired as well: ${commandLine(address, "run", { options: ["--known-failures", "repair"] })}`,
    ].join("\n"),
  };
}

/** Paths that are named, and characters of each. */
const mostPaths = 5;
const longestPath = 200;

/** Paths in a sentence: of many the first. */
export const namePaths = (paths: readonly string[]): string =>
  [
    ...paths.slice(0, mostPaths).map((path) => clamp(path, longestPath)),
    ...(paths.length > mostPaths ? ["…"] : []),
  ].join(", ");
