import * as z from "zod";
import { option } from "./option.ts";

const name = z.string().min(1);
const minute = 60_000;
const hour = 60 * minute;
/** Maximum delay of a timer in milliseconds, and so the longest possible wait. */
const longest = 2 ** 31 - 1;

const duration = (least: number, byDefault: number) => z.int().min(least).max(longest).default(byDefault);

export const ShippingLimits = z.strictObject({
  maxTime: option(
    duration(minute, 48 * hour),
    "gives a right",
    "Time from the first push until the pull request must be green",
    {
      group: "Pull request",
      flags: "--pr-time <duration>",
      summary: "time from the first push until the pull request must be green",
      unit: "ms",
    },
  ),
  maxCycles: option(
    z.int().min(1).default(20),
    "gives a right",
    "Tasks that are added for checks, reviews and conflicts",
    {
      group: "Pull request",
      flags: "--pr-cycles <n>",
      summary: "tasks that are added for checks, reviews and conflicts",
    },
  ),
  maxFixesPerCheck: option(z.int().min(1).default(5), "gives a right", "Tasks that are added for one check", {
    group: "Pull request",
    flags: "--pr-fixes <n>",
    summary: "tasks that are added for one check",
  }),
  maxTasksPerThread: option(z.int().min(1).default(3), "gives a right", "Tasks that are added for one review thread", {
    group: "Pull request",
    flags: "--pr-thread-tasks <n>",
    summary: "tasks that are added for one review thread",
  }),
});

/**
 * Settings for opening and watching a pull request. Durations are milliseconds.
 *
 * @see docs/pull-requests.md
 */
export const PullRequestPolicy = z.strictObject({
  remote: option(name.default("origin"), "gives a right", "Remote to push to", {
    group: "Pull request",
    flags: "--remote <name>",
    summary: "remote to push to",
  }),
  number: option(
    z.int().min(1).nullable().default(null),
    "gives a right",
    "Number of the expected pull request; null: the branch's pull request",
  ),
  branch: option(name.nullable().default(null), "gives a right", "Branch to push; null: the current branch", {
    group: "Pull request",
    flags: "--branch <name>",
    summary: "branch of the pull request; created before the first task if missing",
    unset: "",
    mayBeOff: false,
  }),
  base: option(
    name.nullable().default(null),
    "gives a right",
    "Branch to merge into; null: the default branch of the remote",
    {
      group: "Pull request",
      flags: "--base <branch>",
      summary: "branch to merge into",
      unset: "the default branch of the remote",
      mayBeOff: false,
    },
  ),
  title: option(name.nullable().default(null), "gives a right", "Title; null: the title of the plan", {
    group: "Pull request",
    flags: "--title <text>",
    summary: "title of the pull request",
    unset: "the title of the plan",
    mayBeOff: false,
  }),
  draft: option(z.boolean().default(false), "gives a right", "Open it as a draft", {
    group: "Pull request",
    flags: "--draft",
    summary: "open it as a draft",
  }),
  ready: option(z.boolean().default(false), "gives a right", "Mark a draft as ready at the end", {
    group: "Pull request",
    flags: "--ready",
    summary: "mark a draft as ready at the end",
  }),
  autoMerge: option(
    z.enum(["squash", "merge", "rebase"]).nullable().default(null),
    "gives a right",
    "Method of auto-merge; null: no auto-merge",
    {
      group: "Pull request",
      flags: "--auto-merge <how>",
      summary: "enable auto-merge: squash, merge or rebase",
      mayBeOff: false,
    },
  ),
  checks: option(
    z.enum(["required", "all"]).default("required"),
    "gives a right",
    "Checks that must pass; required: all if none is required",
    {
      group: "Pull request",
      flags: "--pr-checks <which>",
      summary: "checks that must pass: required (all if none is required) or all",
    },
  ),
  trustedReviewers: option(z.array(name).default([]), "gives a right", "Programs whose reviews count, by login", {
    group: "Pull request",
    flags: "--trust-reviewer <login>",
    summary: "login of a program whose reviews count; repeat the option for others",
    repeats: true,
    unset: "",
  }),
  resolveThreads: option(
    z.enum(["off", "own", "all"]).default("off"),
    "gives a right",
    "Threads that are resolved once they are answered; own: those of trusted programs",
    {
      group: "Pull request",
      flags: "--resolve-threads <which>",
      summary: "threads that are resolved once they are answered: off, own (of trusted programs) or all",
    },
  ),
  updateBranch: option(
    z.boolean().default(false),
    "gives a right",
    "Merge a moved base into the branch if it blocks the merge",
    {
      group: "Pull request",
      flags: "--update-branch",
      summary: "merge the base into the branch if it blocks the merge",
    },
  ),
  fixBase: option(z.boolean().default(false), "gives a right", "Also fix checks that fail on the base", {
    group: "Pull request",
    flags: "--fix-base",
    summary: "also fix checks that fail on the base",
  }),
  ...ShippingLimits.shape,
  reruns: option(
    z.int().min(0).max(1).default(1),
    "gives a right",
    "Reruns of a failed check before it counts, for each head",
  ),
  interval: option(duration(30_000, 3 * minute), "gives a right", "Time between two checks of the pull request", {
    group: "Pull request",
    flags: "--pr-interval <duration>",
    summary: "time between two checks of the pull request, at least 30s",
    unit: "ms",
  }),
  checksAppear: option(
    duration(minute, 10 * minute),
    "gives a right",
    "Time after a push in which checks must appear",
    { unit: "ms" },
  ),
  checkStall: option(
    duration(minute, 6 * hour),
    "gives a right",
    "A pending check counts as stuck after this time without a change",
    { unit: "ms" },
  ),
});
export type PullRequestPolicy = z.infer<typeof PullRequestPolicy>;
export type PullRequestPolicyInput = z.input<typeof PullRequestPolicy>;
