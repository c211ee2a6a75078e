import type { Guarded, Harm } from "../evidence/guard.ts";
import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { Question } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";
import { clamp, countOf, someOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

const mostNamed = 6;

const way = "Put it back. If a test contradicts the task, leave the test as it is and write `BLOCKED: <test>: <why>`";

export interface RenderedHarm {
  readonly reason: string;
  readonly question: string;
  readonly rejects: boolean;
}

type Told = Guarded & { readonly restore?: string | null };

/** Describe the forbidden changes of an attempt; null if there are none. @param guard How the policy treats them. */
export function renderHarm(found: Told | null, guard: "reject" | "warn" | "off" = "off"): RenderedHarm | null {
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
      (what) => `the proof of the task was changed: ${what}. ${way}`,
      (what) =>
        `work of other tasks was undone: ${what}. ${found.restore == null ? "Put it back" : `Restore it: ${found.restore}`}`,
    ),
    question: tell(
      (what) => `its proof was changed twice: ${what}`,
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

const mostChecks = 8;

/** Ask about checks that were red before the run and are unrelated to a task, or to the plan if `task` is null. */
export function renderKnownFailures(task: TaskId | null, checks: readonly string[], address: SpecAddress): Question {
  const more = checks.length - mostChecks;
  return {
    kind: "gate",
    reason: [
      `${task === null ? "The plan" : `Task ${task}`} is done, except for ${countOf(checks.length, "unrelated check", "unrelated checks")} that failed before the run`,
      ...checks.slice(0, mostChecks).map((check) => `  ${check}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join("\n"),
    hint: [
      `Continue, and list them at the end: ${commandLine(address, "run", { options: ["--known-failures", "ignore"] })}`,
      `Repair them as well: ${commandLine(address, "run", { options: ["--known-failures", "repair"] })}`,
    ].join("\n"),
  };
}

const mostPaths = 5;
const longestPath = 200;

export const namePaths = (paths: readonly string[]): string =>
  someOf(
    paths.map((path) => clamp(path, longestPath)),
    mostPaths,
  );
