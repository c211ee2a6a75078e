import * as z from "zod";

/** Roles: do a task, check a `[VERIFY]` task, choose a repair for a failed task, review the work. */
export const Role = z.enum(["executor", "verifier", "operator", "reviewer"]);
export type Role = z.infer<typeof Role>;

/** Differences between roles; their names for people are in `src/wording/role-words.ts`. */
interface RoleFacts {
  /**
   * The effect that calls the role. `delegate` is for roles that do tasks; the other effects have keys of their own.
   */
  readonly askedBy: "delegate" | "askOperator" | "review";
  /** Final-message lines that report completion. */
  readonly completions: readonly string[];
  /** Replacement for a role that is not given: the executor, or no one. */
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

/** A role that need not be given. */
export type SupportingRole = Exclude<Role, "executor">;
export const supportingRoles = Role.options.filter((role): role is SupportingRole => role !== "executor");

/** A role that does tasks. */
export type TaskRole = { [Each in Role]: (typeof roles)[Each]["askedBy"] extends "delegate" ? Each : never }[Role];
/** A role that is asked about tasks and does none. */
export type AdvisoryRole = Exclude<Role, TaskRole>;

export const worksOnTasks = (role: Role): role is TaskRole => roles[role].askedBy === "delegate";
export const advisoryRoles = Role.options.filter((role): role is AdvisoryRole => !worksOnTasks(role));
