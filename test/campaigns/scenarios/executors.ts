import { planOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const said = (text: string): string =>
  `printf '%s\\n' '${JSON.stringify({ type: "result", subtype: "success", is_error: false, result: text })}'`;

export const executors: readonly Scenario[] = [
  {
    name: "executors: the next one stands in for one with a limit",
    plan: planOf("1.1 Works", "1.2 Works"),
    programs: {
      claude: "echo 'Error: rate limit exceeded, retry after 600 s' >&2\nexit 1",
      qwen: `put $id\n${said("TASK_COMPLETE")}`,
    },
    flags: ["--executor", "claude,qwen"],
  },
  {
    name: "executors: a limit is waited for",
    plan: planOf("1.1 Works"),
    executor: `[ $attempt = 1 ] && { echo 'Error: rate limit exceeded, retry after 1 s' >&2; exit 1; }\nmade`,
  },
  {
    name: "executors: a reviewer passes it",
    plan: planOf("1.1 Works"),
    executor: "made",
    reviewer: "echo REVIEW_PASS",
  },
  {
    name: "executors: a reviewer finds something",
    plan: planOf("1.1 Works in the end"),
    executor: "made",
    reviewer: "[ $attempt = 1 ] && { echo 'CODE: it has no end'; echo REVIEW_FAIL; exit; }\necho REVIEW_PASS",
  },
  {
    name: "executors: a reviewer finds something that becomes a fix",
    plan: planOf("1.1 Works in the end"),
    executor: "made",
    reviewer: "[ $attempt = 1 ] && { echo 'CODE: it has no end'; echo REVIEW_FAIL; exit; }\necho REVIEW_PASS",
    flags: ["--recovery-mode"],
  },
  {
    name: "executors: a reviewer without a verdict, and suggestions",
    plan: planOf("## Phase 1", "1.1 Works", "## Phase 2", "2.1 Works"),
    executor: "made",
    reviewer: "[ $id = 2.1 ] && { echo 'SPEC: it says too little'; echo REVIEW_FAIL; exit; }\necho Fine",
  },
  {
    name: "executors: a verifier that finds nothing in order at first",
    plan: planOf("1.1 [VERIFY] All of it"),
    executor: "fails 'not for me'",
    verifier: "[ $attempt = 1 ] && { echo VERIFICATION_FAIL; exit; }\nmade",
  },
];
