import * as z from "zod";
import { Chosen, Member } from "./chosen.ts";
import { onRun } from "./effect-key.ts";
import { CommitChoice } from "./policy.ts";
import { Book } from "./pull-request-book.ts";
import { Question } from "./question.ts";

/** What the coordinator of a run asks for. */
export const runEffects = {
  /** What is to be done next: the first open task, or the batch it begins. */
  chooseTask: {
    input: onRun.extend({
      maxParallel: z.int().min(1),
      /** Commit the spec's files where lines of a batch before are still to be written. */
      commit: CommitChoice,
      /** What is left for the pull request is none of its tasks: milestones, which are ticked as they become true. */
      ships: z.boolean().optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({
        kind: z.literal("task"),
        /** Fix tasks are made for it whatever the policy says. */
        alwaysFixed: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("batch"), members: z.array(Member).min(2) }),
      z.object({
        kind: z.literal("none"),
        /** What was done for the pull request, where the run makes one. */
        pullRequest: Book.optional(),
      }),
      Question,
    ]),
  },
  /** The next task that is carried out even though the run has to stop. */
  chooseCleanup: {
    input: onRun.extend({ done: z.array(z.string()) }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({ kind: z.literal("task") }),
      z.object({ kind: z.literal("none") }),
    ]),
  },
  /** The lines of a batch in the progress log, in the order of the plan. */
  mergeProgress: {
    input: onRun.extend({
      /** Members whose own logs are taken over. */
      logs: z.array(z.string()),
      commit: CommitChoice,
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** One consistent look at the whole plan: is every task ticked and accounted for, and does the final check pass? */
  confirmCompletion: {
    input: onRun.extend({ finalVerify: z.string().nullable(), timeoutMs: z.int().min(1) }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("complete") }),
      /** All but what was left out. */
      z.object({ kind: z.literal("skipped") }),
      Question,
    ]),
  },
} as const;
