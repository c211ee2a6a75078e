import type { Role } from "../model/role.ts";

/** Words for a role. */
interface RoleWords {
  /** Name of the role. */
  readonly called: string;
  /** What the command of the role does, for the help. */
  readonly does: string;
  /** Text of the event that delegates to the role. */
  readonly asked: (task: string, attempt: number) => string;
  /** Name of an attempt of the role. */
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
