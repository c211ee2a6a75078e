import * as z from "zod";
import type { Effects } from "../src/effects/create-effects.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import { type PolicyInput, readPolicy } from "../src/model/policy.ts";
import { Book, noBook } from "../src/model/pull-request-book.ts";
import type { PullRequestContext } from "../src/model/pull-request-context.ts";
import { asActor } from "./as-actor.ts";
import { checkInput, PolicyGiven } from "./check-input.ts";
import type { EffectActors, Machine } from "./machine-type.ts";
import { endings } from "./pull-request-endings.ts";
import type { PullRequestOutcome } from "./pull-request-outcome.ts";
import { requests } from "./pull-request-requests.ts";
import { hindered, type PullRequestEmitted, pullRequestSetup, wasAt } from "./pull-request-setup.ts";
import { otherwise, when } from "./when.ts";

/** What the machine of a pull request is started with. */
export interface PullRequestInput {
  /** Its part `pullRequest` counts (the defaults when not given). */
  readonly policy?: PolicyInput | undefined;
  /** Number of the coordinator's turn, so that keys do not repeat; 1 when not given. */
  readonly turn?: number | undefined;
  /** What was done before (nothing when not given). */
  readonly book?: Book | undefined;
}

const pullRequestInput: z.ZodType<PullRequestInput> = z.strictObject({
  policy: PolicyGiven,
  turn: z.int().min(1).optional(),
  book: Book.optional(),
});

export type PullRequestMachine = Machine<
  {
    context: PullRequestContext;
    event: PersonEvent;
    state:
      | ("pushing" | "adopting" | "opening" | "watching" | "waiting" | "resting" | "rerunning" | "updating")
      | ("adding" | "answering" | "confirming" | "more" | "ready" | "merged" | "exhausted" | "gated" | "cancelled");
    tag: "busy" | "waiting" | "settled";
    input: PullRequestInput | undefined;
    output: PullRequestOutcome;
    emitted: PullRequestEmitted;
  },
  EffectActors<
    | ("pushBranch" | "adoptHead" | "openPullRequest" | "readPullRequest" | "awaitChange" | "awaitTime" | "rerunCheck")
    | ("updateBranch" | "addPullRequestTask" | "answerThread" | "confirmPullRequest")
  >
>;

/**
 * The chart of a pull request: the branch is pushed, the pull request opened and watched, until it is green and
 * confirmed, or a task is to be done for it, or there is a reason to stop.
 *
 * @see docs/pull-requests.md
 */
export const createPullRequestMachine = (effects?: Effects): PullRequestMachine => {
  const parts = pullRequestSetup(effects);
  const chart = parts.createMachine({
    id: "pullRequest",
    description:
      "The pull request of a branch: pushed, opened, watched, until it is confirmed or a task is to be done.",
    context: ({ input: given }) => {
      const input = checkInput("pullRequest", pullRequestInput, given ?? {});
      return {
        policy: readPolicy(input.policy),
        turn: input.turn ?? 1,
        step: 0,
        book: input.book ?? noBook,
        ...{ cause: null, again: null, reply: null, foreign: null, wait: null, stop: null },
      };
    },
    initial: "pushing",
    on: { cancel: ".cancelled" },
    states: {
      pushing: {
        description: "The files of the spec are committed where the policy says so, and the branch is pushed.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "pushBranch",
          src: "pushBranch",
          input: requests.pushBranch,
          onDone: [
            when("isOpen", "watching", "note", "announcePush"),
            when("pushed", "opening", "note", "announcePush"),
            when("moved", "adopting", "recordForeign"),
            ...hindered("pushing"),
            otherwise("gated"),
          ],
        },
      },
      adopting: {
        description: "Somebody else has pushed: their commits are taken over where ours only go forward to them.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "adoptHead",
          src: "adoptHead",
          input: requests.adoptHead,
          onDone: [
            when("isOpen", "watching", "note"),
            when("adopted", "opening", "note"),
            ...hindered("adopting"),
            otherwise("gated"),
          ],
        },
      },
      opening: {
        description: "The pull request of the branch is found, else opened.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "openPullRequest",
          src: "openPullRequest",
          input: requests.openPullRequest,
          onDone: [when("opened", "watching", "note", "announceOpening"), ...hindered("opening"), otherwise("gated")],
        },
      },
      watching: {
        description: "One look at checks, threads and heads says what is to be done.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "readPullRequest",
          src: "readPullRequest",
          input: requests.readPullRequest,
          onDone: [
            when("merged", "merged", "announceMerge"),
            when("denied", "exhausted", "recordStop"),
            when("moved", "adopting", "recordForeign"),
            when("answerDue", "answering", "recordReply"),
            when("rerunDue", "rerunning", "recordRerun"),
            when("failing", "adding", "recordCause"),
            when("behind", "updating"),
            when("pending", "waiting", "recordPending", "announceWait"),
            when("flakyGreen", "confirming", "note", "announceFlaky"),
            when("green", "confirming", "note"),
            ...hindered("watching"),
            otherwise("gated"),
          ],
        },
      },
      waiting: {
        description: "Checks run, or the forge finds out whether it can be merged: until a look says something else.",
        tags: "waiting",
        entry: "next",
        invoke: {
          id: "awaitChange",
          src: "awaitChange",
          input: requests.awaitChange,
          onDone: "watching",
        },
      },
      resting: {
        description: "The forge or the remote cannot answer before a time.",
        tags: "waiting",
        entry: "next",
        invoke: {
          id: "awaitTime",
          src: "awaitTime",
          input: requests.awaitTime,
          onDone: [
            wasAt("pushing"),
            wasAt("opening"),
            wasAt("adopting"),
            wasAt("rerunning"),
            wasAt("answering"),
            wasAt("adding"),
            wasAt("updating"),
            { target: "watching" },
          ],
        },
      },
      rerunning: {
        description: "A red check is run once more before it counts.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "rerunCheck",
          src: "rerunCheck",
          input: requests.rerunCheck,
          onDone: [when("rerun", "watching", "note", "announceRerun"), ...hindered("rerunning"), otherwise("gated")],
        },
      },
      updating: {
        description: "The base has moved, which blocks: the forge takes it into the branch.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "updateBranch",
          src: "updateBranch",
          input: requests.updateBranch,
          onDone: [when("done", "watching"), ...hindered("updating"), otherwise("gated")],
        },
      },
      adding: {
        description: "A task for a red check, a review thread or a conflict is written into the plan.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "addPullRequestTask",
          src: "addPullRequestTask",
          input: requests.addPullRequestTask,
          onDone: [
            when("inserted", "more", "announceTask"),
            when("changed", "watching"),
            ...hindered("adding"),
            otherwise("gated"),
          ],
        },
      },
      answering: {
        description: "A review thread is told what was done about it.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "answerThread",
          src: "answerThread",
          input: requests.answerThread,
          onDone: [
            when("answered", "watching", "note", "announceAnswer"),
            ...hindered("answering"),
            otherwise("gated"),
          ],
        },
      },
      confirming: {
        description: "A fresh look at the pull request and at the branch here, and the final check.",
        tags: "busy",
        entry: "next",
        invoke: {
          id: "confirmPullRequest",
          src: "confirmPullRequest",
          input: requests.confirmPullRequest,
          onDone: [
            when("confirmed", "ready", "note", "announceReady"),
            when("changed", "watching"),
            ...hindered("watching"),
            otherwise("gated"),
          ],
        },
      },
      ...endings(parts),
    },
    output: ({ event }) => event.output as PullRequestOutcome,
  });
  return asActor(chart, effects);
};
