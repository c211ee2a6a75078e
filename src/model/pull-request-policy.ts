import * as z from "zod";

const name = z.string().min(1);
const minute = 60_000;
const hour = 60 * minute;
/** Longest time that can be waited for: what a timer takes. */
const longest = 2 ** 31 - 1;

const duration = (least: number) => z.int().min(least).max(longest);

/**
 * How a pull request is made and watched. Durations are milliseconds.
 *
 * @see docs/pull-requests.md
 */
export const PullRequestPolicy = z.strictObject({
  remote: name.default("origin").describe("Remote that is pushed to"),
  number: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Pull request that must be the one; null: that of the branch"),
  branch: name.nullable().default(null).describe("Branch that is pushed; null: the one that is checked out"),
  base: name.nullable().default(null).describe("Branch to merge into; null: the default branch of the remote"),
  title: name.nullable().default(null).describe("Title; null: that of the plan"),
  draft: z.boolean().default(false).describe("Open it as a draft"),
  ready: z.boolean().default(false).describe("Mark a draft as ready at the end"),
  autoMerge: z
    .enum(["squash", "merge", "rebase"])
    .nullable()
    .default(null)
    .describe("Have the forge merge it once it may; null: never"),
  checks: z
    .enum(["required", "all"])
    .default("required")
    .describe("Checks that must pass; required: all where none is"),
  trustedReviewers: z.array(name).default([]).describe("Programs whose reviews count, by login"),
  resolveThreads: z
    .enum(["off", "own", "all"])
    .default("off")
    .describe("Threads that are resolved once they are answered; own: those of trusted programs"),
  updateBranch: z.boolean().default(false).describe("Take in a base that has moved where that blocks"),
  fixBase: z.boolean().default(false).describe("Fix checks that fail on the base, too"),
  maxTime: duration(minute)
    .default(48 * hour)
    .describe("Time from the first push to the end"),
  maxCycles: z.int().min(1).default(20).describe("Tasks that are added for checks, reviews and conflicts"),
  maxFixesPerCheck: z.int().min(1).default(5).describe("Tasks that are added for one check"),
  maxTasksPerThread: z.int().min(1).default(3).describe("Tasks that are added for one review thread"),
  reruns: z
    .int()
    .min(0)
    .max(1)
    .default(1)
    .describe("Times a failed check is run again before it counts, for each head"),
  interval: duration(30_000)
    .default(3 * minute)
    .describe("Time between two looks"),
  checksAppear: duration(minute)
    .default(10 * minute)
    .describe("Time after a push in which checks must appear"),
  checkStall: duration(minute)
    .default(6 * hour)
    .describe("Time without a change after which a check counts as stuck"),
});
export type PullRequestPolicy = z.infer<typeof PullRequestPolicy>;
/** What a person gives of it. */
export type PullRequestPolicyInput = z.input<typeof PullRequestPolicy>;

const times: readonly (keyof PullRequestPolicy)[] = ["maxTime", "interval", "checksAppear", "checkStall"];

/** Whether a part of the policy is a duration. */
export const isTime = (name: string): boolean => times.some((each) => each === name);
