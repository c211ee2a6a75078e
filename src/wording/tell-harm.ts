import type { Guarded, Harm } from "../evidence/guard.ts";
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
