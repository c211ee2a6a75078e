import * as z from "zod";

/**
 * `executor`: does tasks; `verifier`: checks `[VERIFY]` tasks; `operator`: chooses repairs for failed tasks;
 * `reviewer`: reviews the work.
 */
export const Role = z.enum(["executor", "verifier", "operator", "reviewer"]);
export type Role = z.infer<typeof Role>;

/** Names of roles for people are in `src/wording/role-words.ts`. */
interface RoleFacts {
  /** Effect that calls the role. Roles with `delegate` do tasks. */
  readonly askedBy: "delegate" | "askOperator" | "review";
  readonly completions: readonly string[];
  /** Substitute for a role without an executor of its own. */
  readonly standIn: "executor" | "nobody";
}

export const roles = {
  executor: {
    askedBy: "delegate",
    completions: ["TASK_COMPLETE", "ALL_TASKS_COMPLETE"],
    standIn: "nobody",
  },
  verifier: {
    askedBy: "delegate",
    completions: ["VERIFICATION_PASS"],
    standIn: "executor",
  },
  operator: {
    askedBy: "askOperator",
    completions: [],
    standIn: "executor",
  },
  reviewer: {
    askedBy: "review",
    completions: ["REVIEW_PASS"],
    standIn: "nobody",
  },
} as const satisfies Readonly<Record<Role, RoleFacts>>;

export type SupportingRole = Exclude<Role, "executor">;
export const supportingRoles = Role.options.filter((role): role is SupportingRole => role !== "executor");

/** A role that does tasks. */
export type TaskRole = { [Each in Role]: (typeof roles)[Each]["askedBy"] extends "delegate" ? Each : never }[Role];
/** A role that does no tasks, but answers questions about them. */
export type AdvisoryRole = Exclude<Role, TaskRole>;

export const worksOnTasks = (role: Role): role is TaskRole => roles[role].askedBy === "delegate";
export const advisoryRoles = Role.options.filter((role): role is AdvisoryRole => !worksOnTasks(role));
