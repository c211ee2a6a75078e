import { Role, roles, worksOnTasks } from "../model/role.ts";
import type { Signal } from "../model/verdict.ts";
import { findBlocker } from "./find-blocker.ts";
import { parseFailureHeading } from "./parse-failure-heading.ts";
import { spokenLines } from "./spoken-lines.ts";

/** The lines that would complete a task in another role. */
const completionsOfOthers = (role: Role): readonly string[] =>
  worksOnTasks(role)
    ? Role.options.filter((other) => other !== role && worksOnTasks(other)).flatMap(completionsOf)
    : [];

const completionsOf = (role: Role): readonly string[] => roles[role].completions;

/** A word of each signal: most of a long output holds none. */
const words = ["FAIL", "_COMPLETE", "_PASS", "BLOCKED"];

/**
 * What a final message signals. A signal is a line of its own, surrounding blanks aside, outside fences and quotes;
 * a failed one beats a complete one, and a question to a person both.
 *
 * @param text
 *   The whole final message, untrusted.
 * @returns `failed` for `VERIFICATION_FAIL` or a FAILED block, `blocked` for `BLOCKED:` with a question behind it,
 *   `misplaced` for a verifier's `TASK_COMPLETE` or an executor's `VERIFICATION_PASS`, null without any signal.
 * @see docs/protocol.md
 */
export function parseSignal(text: string, role: Role): Signal | null {
  if (!words.some((word) => text.includes(word))) return null;
  if (findBlocker(text) !== null) return "blocked";
  const own = completionsOf(role);
  const foreign = completionsOfOthers(role);
  let isComplete = false;
  let isMisplaced = false;
  for (const spoken of spokenLines(text)) {
    const line = spoken.trim();
    if (line === "VERIFICATION_FAIL" || parseFailureHeading(line) !== null) return "failed";
    isComplete ||= own.includes(line);
    isMisplaced ||= foreign.includes(line);
  }
  if (isComplete) return "complete";
  return isMisplaced ? "misplaced" : null;
}
