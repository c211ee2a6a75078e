import * as z from "zod";

/** Who is asked: does a task, checks a `[VERIFY]` task, chooses how to repair a failed one, or reviews what was done. */
export const Role = z.enum(["executor", "verifier", "operator", "reviewer"]);
export type Role = z.infer<typeof Role>;

/** What differs between roles; what people read of them is in `src/wording/role-words.ts`. */
interface RoleFacts {
  /** The effect that asks it. Whoever `delegate` asks does tasks; what others are asked has a key of its own. */
  readonly askedBy: "delegate" | "askOperator" | "review";
  /** The lines of a final message that say the work is done. */
  readonly completions: readonly string[];
  /** Who plays it when nobody is given for it: the executor, or nobody. */
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
/** A role that is asked about a task, and does none. */
export type AdvisoryRole = Exclude<Role, TaskRole>;

export const worksOnTasks = (role: Role): role is TaskRole => roles[role].askedBy === "delegate";
export const advisoryRoles = Role.options.filter((role): role is AdvisoryRole => !worksOnTasks(role));
