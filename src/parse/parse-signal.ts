import type { Role } from "../model/task.ts";
import { parseFailureHeading } from "./parse-failure-heading.ts";
import { spokenLines } from "./spoken-lines.ts";

const completions: Record<Role, readonly string[]> = {
  executor: ["TASK_COMPLETE", "ALL_TASKS_COMPLETE"],
  verifier: ["VERIFICATION_PASS"],
  reviewer: ["REVIEW_PASS"],
  operator: [],
};

/** A word of each signal: most of a long output holds none. */
const words = ["FAIL", "_COMPLETE", "_PASS"];

/**
 * What a final message signals. A signal is a line of its own, surrounding blanks aside, outside fences and quotes;
 * a failed one beats a complete one.
 *
 * @param text
 *   The whole final message, untrusted.
 * @returns `failed` for `VERIFICATION_FAIL` or a FAILED block, null without any signal.
 * @see docs/protocol.md
 */
export function parseSignal(text: string, role: Role): "complete" | "failed" | null {
  if (!words.some((word) => text.includes(word))) return null;
  let isComplete = false;
  for (const spoken of spokenLines(text)) {
    const line = spoken.trim();
    if (line === "VERIFICATION_FAIL" || parseFailureHeading(line) !== null) return "failed";
    isComplete ||= completions[role].includes(line);
  }
  return isComplete ? "complete" : null;
}
