import * as z from "zod";
import { option } from "./option.ts";

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
    "When to run the command for tasks that have no Verify",
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
    "Checks that failed before the run and are unrelated to the task",
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
    "Changes to the tests, scripts and settings that prove a task, and changes that undo other tasks",
    {
      group: "Verification",
      flags: "--guard <what>",
      unit: "reject, warn or off",
      summary: "changes that weaken a task's proof or undo other tasks: reject, warn, or off",
    },
  ),
  requireProof: option(z.boolean().default(false), "weakens a check", "Ask about tasks without proof", {
    group: "Verification",
    flags: "--require-proof",
    opposite: "do not ask about tasks without proof",
    unit: "yes or no",
    summary: "ask at the end about tasks without proof",
  }),
  optional: option(z.boolean().default(false), "gives a right", "Also do tasks marked as optional", {
    group: "What the run may do",
    flags: "--optional",
    opposite: "skip optional tasks",
    unit: "yes or no",
    summary: "also do tasks marked as optional",
  }),
  unattended: option(
    z.boolean().default(false),
    "weakens a check",
    "Ask no one: a task with a question waits, others continue",
    {
      group: "Verification",
      flags: "--unattended",
      basic: true,
      opposite: "end at the first question without an answer",
      unit: "yes or no",
      summary: "ask no one: a task with a question waits, others continue, and the run ends with all questions",
    },
  ),
  recheck: option(
    z.boolean().default(true),
    "weakens a check",
    "At the end of the run, rerun the commands that proved tasks",
    {
      group: "Verification",
      flags: "--recheck",
      opposite: "at the end of the run, do not rerun the commands that proved tasks",
      unit: "yes or no",
      summary: "at the end of the run, rerun the commands that proved tasks",
    },
  ),
  requireExecutorTick: option(
    z.boolean().default(false),
    "weakens a check",
    "Reject a completion claim if the task's box is still open",
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
