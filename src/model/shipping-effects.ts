import * as z from "zod";
import { Denial } from "./limits.ts";
import { Question } from "./person-event.ts";
import { Book, Cause } from "./pull-request.ts";
import { PullRequestPolicy } from "./pull-request-policy.ts";
import { onRun } from "./run-effects.ts";

const text = z.string();
const time = z.number();

/** The forge or remote is unavailable until `until` (milliseconds since 1970). */
const HinderedAnswer = z.object({
  kind: z.literal("hindered"),
  reason: z.enum(["rate-limit", "offline", "busy"]),
  until: time,
  detail: text,
  /** Given if the deadline of the pull request is before `until`. The run then gives up the pull request. */
  denial: Denial.optional(),
});

const pr = onRun.extend({ policy: PullRequestPolicy });
const onNumber = pr.extend({ number: z.int(), head: text });
const done = z.object({ kind: z.literal("done") });
/** Set if the branch's pull request had been opened before. */
const known = z.literal(true).optional();
const moved = z.object({ kind: z.literal("moved"), head: text.nullable() });

/** Reviewers who still request changes; not given if no one does. */
const requesting = z.array(text).optional();

export const shippingEffects = {
  pushBranch: {
    input: pr.extend({ head: text.nullable(), commit: z.boolean() }),
    answer: z.discriminatedUnion("kind", [
      /** `fresh`: whether `head` differs from the last pushed head. */
      z.object({ kind: z.literal("pushed"), head: text, fresh: z.boolean(), at: time, known }),
      moved,
      HinderedAnswer,
      Question,
    ]),
  },
  openPullRequest: {
    input: pr.extend({ head: text }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("opened"), number: z.int(), url: text, created: z.boolean() }),
      HinderedAnswer,
      Question,
    ]),
  },
  /** Read the state of the pull request, and decide what to do. */
  readPullRequest: {
    input: onNumber.extend({ book: Book }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("merged"), requesting }),
      z.object({ kind: z.literal("moved"), head: text }),
      z.object({ kind: z.literal("behind") }),
      z.object({ kind: z.literal("failing"), cause: Cause }),
      z.object({ kind: z.literal("answerDue"), thread: text, comment: text, task: text }),
      z.object({ kind: z.literal("rerunDue"), check: text, job: text }),
      /** Nothing to do before `until`, unless the state of checks (`checks`) or mergeability (`merge`) changes. */
      z.object({ kind: z.literal("pending"), reason: z.enum(["checks", "merge"]), until: time }),
      /** `flaky` lists the checks that passed only in a rerun. */
      z.object({ kind: z.literal("green"), flaky: z.array(text) }),
      HinderedAnswer,
      Denial,
      Question,
    ]),
  },
  /** Wait until `until`, or until checks or mergeability change. */
  awaitChange: {
    input: onNumber.extend({ reason: z.enum(["checks", "merge"]), until: time, book: Book }),
    answer: done,
  },
  /**
   * Wait until an unavailable service answers again, but not beyond the deadline. `at` is the service; `number` is null
   * before the pull request is opened.
   */
  awaitTime: {
    input: pr.extend({
      reason: text,
      until: time,
      limit: time.nullable(),
      number: z.int().nullable(),
      at: z.enum(["remote", "forge"]),
    }),
    /** `effect` is the effect to request again. */
    answer: done.extend({ effect: text.optional() }),
  },
  /** Continue with a commit that someone else pushed to the branch. */
  adoptHead: {
    input: pr.extend({ head: text }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("adopted"), head: text, authors: z.array(text), at: time, known }),
      HinderedAnswer,
      Question,
    ]),
  },
  rerunCheck: {
    input: onNumber.extend({ check: text, job: text }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("rerun"), check: text }),
      HinderedAnswer,
      Question,
    ]),
  },
  updateBranch: {
    input: onNumber,
    answer: z.discriminatedUnion("kind", [done, HinderedAnswer, Question]),
  },
  addPullRequestTask: {
    input: onNumber.extend({ cause: Cause, book: Book, finalVerify: text.nullable() }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("inserted"), task: text, checks: z.array(text), title: text }),
      /** The state of the pull request has changed: read it again. */
      z.object({ kind: z.literal("changed") }),
      HinderedAnswer,
      Question,
    ]),
  },
  answerThread: {
    input: onNumber.extend({ thread: text, comment: text, task: text, book: Book }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("answered"), thread: text, comment: text }),
      HinderedAnswer,
      Question,
    ]),
  },
  /** Check once more that the pull request and the local repository are in order. */
  confirmPullRequest: {
    input: onNumber.extend({ book: Book, finalVerify: text.nullable(), timeoutMs: z.int().min(1) }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("confirmed"), requesting }),
      z.object({ kind: z.literal("changed") }),
      HinderedAnswer,
      Question,
    ]),
  },
} as const;
