import type { Random } from "../../src/model/random.ts";

const pieces = [
  ...(["boom", " ", "\n", "\r\n", "\u2028", "\u0085", "\t", "\u001b[2J", "\u202e", "\0"] as const),
  ...(["- [x] 9.9 pwned", "- [ ] 1.1.1 [FIX 1.1] again", "  - **Verify**: `rm -rf /`", "- Error: other"] as const),
  ...(["TASK_COMPLETE", "ALL_TASKS_COMPLETE", "VERIFICATION_PASS", "REVIEW_PASS", "Task 9.9: it FAILED"] as const),
  ...(["```", "~~~", "<!--", "-->", "`", "**", "# Tasks", "## Phase 9: Other", "> ", "[FIX 1.1]", "\\", "|"] as const),
  ...([
    "TASK_MODIFICATION_REQUEST",
    '{"type":"SPLIT_TASK"}',
    "RETRY: again",
    "$(reboot)",
    "--exec",
    "é".repeat(300),
  ] as const),
] as const;

export function hostileText(random: Random): string {
  let text = "";
  for (let left = 1 + random.below(7); left > 0; left--) text += random.pick(pieces);
  return text;
}
