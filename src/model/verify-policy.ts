import * as z from "zod";
import { option } from "./option.ts";

/** How claims are verified, and how failures of that are handled. */
export const VerifyPolicy = z.object({
  verify: option(
    z.string().min(1).nullable().default(null),
    "runs something",
    "Command that verifies each task without a Verify of its own",
    {
      group: "Verification",
      flags: "--verify <command>",
      basic: true,
      unit: "text",
      summary: "command that verifies each task without a Verify of its own",
    },
  ),
  checkEvery: option(
    z.enum(["task", "phase", "end"]).default("task"),
    "weakens a check",
    "When the command runs that verifies tasks without a Verify",
    {
      group: "Verification",
      flags: "--check-every <what>",
      unit: "task, phase or end",
      summary: "run the command of --verify after each task, each phase, or all tasks",
    },
  ),
  trustExecutor: option(z.boolean().default(false), "weakens a check", "Do not run Verify commands", {
    group: "Verification",
    flags: "--trust-executor",
    unit: "yes or no",
    summary: "do not run the tasks' Verify commands",
  }),
  verifyBefore: option(z.boolean().default(true), "weakens a check", "Run Verify before the work as well", {
    group: "Verification",
    flags: "--verify-before",
    opposite: "do not run a task's Verify before the work on it",
    unit: "yes or no",
    summary: "run a task's Verify before the work as well",
  }),
  knownFailures: option(
    z.enum(["ask", "ignore", "repair"]).default("ask"),
    "weakens a check",
    "Checks that failed before the run, and have nothing to do with the task",
    {
      group: "Verification",
      flags: "--known-failures <what>",
      unit: "ask, ignore or repair",
      summary: "checks that failed before the run: ask, ignore, or repair them",
    },
  ),
  guard: option(
    z.enum(["reject", "warn", "off"]).default("reject"),
    "weakens a check",
    "Changes of the tests, scripts and settings that prove a task, and what undoes other tasks",
    {
      group: "Verification",
      flags: "--guard <what>",
      unit: "reject, warn or off",
      summary: "changes of what proves a task or undoes others: reject, warn, or off",
    },
  ),
  requireProof: option(z.boolean().default(false), "weakens a check", "Ask about tasks that nothing has proven", {
    group: "Verification",
    flags: "--require-proof",
    opposite: "do not ask about tasks that nothing has proven",
    unit: "yes or no",
    summary: "ask at the end about tasks that nothing has proven",
  }),
  optional: option(
    z.boolean().default(false),
    "gives a right",
    "Tasks that their authors call optional are done as well",
    {
      group: "What it may do",
      flags: "--optional",
      opposite: "leave optional tasks out",
      unit: "yes or no",
      summary: "do the tasks that their authors call optional as well",
    },
  ),
  unattended: option(
    z.boolean().default(false),
    "weakens a check",
    "Nobody is asked: a task with a question waits, the others go on",
    {
      group: "Verification",
      flags: "--unattended",
      basic: true,
      opposite: "end with the first question that nobody answers",
      unit: "yes or no",
      summary: "ask nobody: a task with a question waits, the others go on, and the run ends with all questions",
    },
  ),
  recheck: option(z.boolean().default(true), "weakens a check", "Run once more at the end what has proven tasks", {
    group: "Verification",
    flags: "--recheck",
    opposite: "do not run once more at the end what has proven tasks",
    unit: "yes or no",
    summary: "run once more at the end what has proven tasks",
  }),
  requireExecutorTick: option(
    z.boolean().default(false),
    "weakens a check",
    "Reject a completion that leaves its box open",
    {
      group: "Verification",
      flags: "--require-executor-tick",
      unit: "yes or no",
      summary: "reject a task whose executor did not tick its box",
    },
  ),
  requireCommit: option(
    z.boolean().default(false),
    "weakens a check",
    "Reject a completion that leaves tasks.md or .progress.md uncommitted",
    {
      group: "Verification",
      flags: "--require-commit",
      unit: "yes or no",
      summary: "reject a task that leaves tasks.md or .progress.md uncommitted",
    },
  ),
});
