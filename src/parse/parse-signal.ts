import type { Role } from "../model/task.ts";
import { parseFailureHeading } from "./parse-failure-heading.ts";
import { spokenLines } from "./spoken-lines.ts";

const completions: Record<Role, readonly string[]> = {
  executor: ["TASK_COMPLETE", "ALL_TASKS_COMPLETE"],
  verifier: ["VERIFICATION_PASS"],
};

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
  const lines = spokenLines(text).map((line) => line.trim());
  if (lines.some((line) => line === "VERIFICATION_FAIL" || parseFailureHeading(line) !== null)) return "failed";
  return lines.some((line) => completions[role].includes(line)) ? "complete" : null;
}
