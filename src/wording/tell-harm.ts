import type { Guarded } from "../evidence/find-harm.ts";
import { escapeText } from "./escape-text.ts";

/** Changes that are named. */
const mostNamed = 6;

/** The exit that is open to whoever finds a test to be wrong. */
const way = "Put it back. If a test contradicts the task, leave it and write `BLOCKED: <test>: <why>`";

/** What was changed of what proves a task. */
export interface ToldHarm {
  /** In words for who has done it. */
  readonly reason: string;
  /** In words for a person. */
  readonly question: string;
  readonly rejects: boolean;
}

/** Tell what was changed of what proves a task; null where nothing was. @param guard What is done about it. */
export function tellHarm(found: Guarded | null, guard: "reject" | "warn" | "off" = "off"): ToldHarm | null {
  if (found === null || guard === "off") return null;
  const rejects = guard === "reject" && found.harms.length > 0;
  const all = [...found.harms, ...(rejects ? [] : found.shown)];
  if (all.length === 0) return null;
  const named = all
    .slice(0, mostNamed)
    .map(({ path, what }) => (path === "" ? escapeText(what) : `${escapeText(path)}: ${escapeText(what)}`));
  const told = [...named, ...(all.length > mostNamed ? [`and ${all.length - mostNamed} more`] : [])].join("; ");
  const question = `what proves it was changed twice: ${told}`;
  return { reason: rejects ? `what proves the task was changed: ${told}. ${way}` : told, question, rejects };
}
