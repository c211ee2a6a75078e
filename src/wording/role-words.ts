import type { Role } from "../model/role.ts";

/** What people read of a role. */
interface RoleWords {
  /** What it is called. */
  readonly called: string;
  /** What its command does, for the help. */
  readonly does: string;
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
  executor: { called: "executor", does: "does tasks", ...onTask },
  verifier: { called: "verifier", does: "does [VERIFY] tasks", ...onTask },
  operator: {
    called: "repair operator",
    does: "decides how a failed task is repaired",
    asked: (task, round) => `asked the repair operator about ${task} (round ${round})`,
    attempt: "repair operator, round",
  },
  reviewer: {
    called: "reviewer",
    does: "reviews what was done",
    asked: (task, round) => `delegated the review of ${task} (round ${round})`,
    attempt: "review",
  },
};
