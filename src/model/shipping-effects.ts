import * as z from "zod";
import { Denial } from "./limits.ts";
import { Question } from "./person-event.ts";
import { Book, Cause } from "./pull-request.ts";
import { PullRequestPolicy } from "./pull-request-policy.ts";
import { onRun } from "./run-effects.ts";

const text = z.string();
const time = z.number();

/** What keeps the forge or the remote from answering, until then in milliseconds since 1970. */
const HinderedAnswer = z.object({
  kind: z.literal("hindered"),
  reason: z.enum(["rate-limit", "offline", "busy"]),
  until: time,
  detail: text,
  /** The time of the pull request is over before that: it is given up. */
  denial: Denial.optional(),
});

const pr = onRun.extend({ policy: PullRequestPolicy });
const onNumber = pr.extend({ number: z.int(), head: text });
const done = z.object({ kind: z.literal("done") });
/** `known`: its pull request was opened before. */
const known = z.literal(true).optional();
const moved = z.object({ kind: z.literal("moved"), head: text.nullable() });

/** Reviewers who still request changes; not given without any. */
const requesting = z.array(text).optional();

/** What the chart of a pull request asks for. */
export const shippingEffects = {
  /** The commits of this branch, on the branch of the remote. */
  pushBranch: {
    input: pr.extend({ head: text.nullable(), commit: z.boolean() }),
    answer: z.discriminatedUnion("kind", [
      /** `fresh`: that is another head than before. */
      z.object({ kind: z.literal("pushed"), head: text, fresh: z.boolean(), at: time, known }),
      moved,
      HinderedAnswer,
      Question,
    ]),
  },
  /** The pull request of the branch, found or opened. */
  openPullRequest: {
    input: pr.extend({ head: text }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("opened"), number: z.int(), url: text, created: z.boolean() }),
      HinderedAnswer,
      Question,
    ]),
  },
  /** What is to be done, as one look says. */
  readPullRequest: {
    input: onNumber.extend({ book: Book }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("merged"), requesting }),
      z.object({ kind: z.literal("moved"), head: text }),
      z.object({ kind: z.literal("behind") }),
      z.object({ kind: z.literal("failing"), cause: Cause }),
      z.object({ kind: z.literal("answerDue"), thread: text, comment: text, task: text }),
      z.object({ kind: z.literal("rerunDue"), check: text, job: text }),
      /** Not until then is there anything new, unless something changes: checks, or whether it can be merged. */
      z.object({ kind: z.literal("pending"), reason: z.enum(["checks", "merge"]), until: time }),
      /** `flaky`: checks that have passed only when they were run again. */
      z.object({ kind: z.literal("green"), flaky: z.array(text) }),
      HinderedAnswer,
      Denial,
      Question,
    ]),
  },
  /** The time of the next step, or a change before that. */
  awaitChange: {
    input: onNumber.extend({ reason: z.enum(["checks", "merge"]), until: time, book: Book }),
    answer: done,
  },
  /**
   * The time from which what was hindered can be tried again, and the end of what hinders it; the limit in any case.
   * `number`: null before it is opened; `at`: what has hindered it.
   */
  awaitTime: {
    input: pr.extend({
      reason: text,
      until: time,
      limit: time.nullable(),
      number: z.int().nullable(),
      at: z.enum(["remote", "forge"]),
    }),
    /** `effect`: what was hindered, and is tried again. */
    answer: done.extend({ effect: text.optional() }),
  },
  /** A head that somebody else has pushed, taken over. */
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
  /** A task for what was found, written into the plan. */
  addPullRequestTask: {
    input: onNumber.extend({ cause: Cause, book: Book, finalVerify: text.nullable() }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("inserted"), task: text, checks: z.array(text), title: text }),
      /** It is not as it was: another look says what is to be done. */
      z.object({ kind: z.literal("changed") }),
      HinderedAnswer,
      Question,
    ]),
  },
  /** What was done about a thread, written below it. */
  answerThread: {
    input: onNumber.extend({ thread: text, comment: text, task: text, book: Book }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("answered"), thread: text, comment: text }),
      HinderedAnswer,
      Question,
    ]),
  },
  /** A fresh look, and a look at the repository here: is it still as it should be? */
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
