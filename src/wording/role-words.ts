import type { Role } from "../model/role.ts";

/** What people read of a role. */
interface RoleWords {
  /** What it is called. */
  readonly called: string;
  /** That it is asked, as an event says it. */
  readonly asked: (task: string, attempt: number) => string;
  /** What its attempts are called. */
  readonly attempt: string;
}

const onTask = {
  asked: (task: string, attempt: number) => `delegated ${task} (attempt ${attempt})`,
  attempt: "attempt",
} as const;

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  executor: { called: "executor", ...onTask },
  verifier: { called: "verifier", ...onTask },
  operator: {
    called: "repair operator",
    asked: (task, round) => `asked the repair operator about ${task} (round ${round})`,
    attempt: "repair operator, round",
  },
  reviewer: {
    called: "reviewer",
    asked: (task, round) => `delegated the review of ${task} (round ${round})`,
    attempt: "review",
  },
};
