import { planOf, taskOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const commit = `put $id; git add work/$id; git diff --cached --quiet || git commit -qm "work on $id"; claim`;
const milestones = ["5.1 Create the PR", "5.2 All checks are green", "5.3 Answer the review"];

export const pullRequests: readonly Scenario[] = [
  {
    name: "pull request: a review, a red check, a flaky one, and a commit of somebody else",
    plan: planOf(
      "1.1 Works",
      "1.2 Works, too",
      "## Phase 5: PR Lifecycle",
      ...milestones.map((title) => taskOf(title, { Verify: null })),
    ),
    executor: commit,
    repository: true,
    forge: true,
    flags: ["--pull-request", "--branch", "topic", "--commit", "spec"],
  },
];
