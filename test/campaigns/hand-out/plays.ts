import { planOf, taskOf } from "../scenarios/plan-of.ts";
import type { Scenario } from "../scenarios/scenario.ts";

/** The first attempts at the tasks in `forgets` do no work. */
export interface Play extends Scenario {
  readonly forgets: readonly string[];
  readonly outcome: string;
}

export const plays: readonly Play[] = [
  {
    name: "a fix and a retry",
    plan: planOf("1.1 First", "1.2 Second"),
    flags: ["--recovery-mode"],
    forgets: ["1.1"],
    outcome: "complete",
  },
  {
    name: "a batch with a fix",
    plan: planOf("1.1 [P] First", "1.2 [P] Second", "1.3 Third"),
    flags: ["--recovery-mode"],
    forgets: ["1.2"],
    width: 2,
    outcome: "complete",
  },
  {
    name: "commits",
    plan: planOf("1.1 First", taskOf("1.2 Second", { Commit: "Do the second" })),
    repository: true,
    flags: ["--recovery-mode", "--commit", "all"],
    forgets: ["1.2"],
    outcome: "complete",
  },
  {
    name: "a limit",
    plan: planOf("1.1 First", "1.2 Second"),
    flags: ["--max-task-iterations", "1"],
    forgets: ["1.1"],
    outcome: "limit",
  },
];
