import { assign, setup } from "xstate";
import type { Effects } from "../src/effects/effects.ts";
import type { Answer, EffectName } from "../src/model/effect.ts";
import { answerIn, ask, ends, is, nameOf, on, sockets, to } from "./ask.ts";
import { described } from "./described.ts";
import type { Machine, Tag } from "./machine-type.ts";

/** Position of the work on a pull request. All facts about the pull request are in the run's state. */
export interface PullRequestContext {
  /** The answer that ended the work; null before the end, or if the work ended without an answer. */
  readonly end: Answer<EffectName> | null;
}

/**
 * How the work on a pull request ended, and the answer that ended it. `more`: the run added a task to the plan, which
 * must be done before the pull request is ready.
 */
export interface PullRequestOutcome extends PullRequestContext {
  readonly kind: "more" | "ready" | "merged" | "exhausted" | "gated" | "cancelled";
}

export type PullRequestMachine = Machine<{
  context: PullRequestContext;
  event: { readonly type: "cancel" };
  state:
    | ("pushing" | "adopting" | "opening" | "watching" | "waiting" | "resting" | "rerunning" | "updating")
    | ("adding" | "answering" | "confirming" | PullRequestOutcome["kind"]);
  input: undefined;
  output: PullRequestOutcome;
}>;

/**
 * The chart of a pull request: push the branch, open the pull request and watch it. The chart ends when the pull
 * request is green and confirmed, when a new task must be done first, or when the run must stop.
 *
 * @see docs/pull-requests.md
 */
export const createPullRequestMachine = (effects?: Effects): PullRequestMachine =>
  setup({
    types: {
      context: {} as PullRequestContext,
      output: {} as PullRequestOutcome,
      events: {} as { type: "cancel" },
      tags: {} as Tag,
    },
    actors: {
      ...sockets(effects, "pushBranch", "adoptHead", "openPullRequest", "readPullRequest", "awaitChange", "awaitTime"),
      ...sockets(effects, "rerunCheck", "updateBranch", "addPullRequestTask", "answerThread", "confirmPullRequest"),
    },
    guards: { is },
    actions: { end: assign({ end: ({ event }) => answerIn(event) as PullRequestContext["end"] }) },
  }).createMachine({
    ...described("pullRequest", {
      pushing: ask("pushBranch", on("known", "watching"), on("pushed", "opening"), on("moved", "adopting"), ...others),
      adopting: ask("adoptHead", on("known", "watching"), on("adopted", "opening"), ...others),
      opening: ask("openPullRequest", on("opened", "watching"), ...others),
      watching: ask(
        "readPullRequest",
        on("merged", "merged"),
        on("moved", "adopting"),
        on("answerDue", "answering"),
        on("rerunDue", "rerunning"),
        on("failing", "adding"),
        on("behind", "updating"),
        on("pending", "waiting"),
        on("green", "confirming"),
        ...others,
      ),
      waiting: ask("awaitChange", to("watching")),
      resting: ask(
        "awaitTime",
        on("pushBranch", "pushing"),
        on("adoptHead", "adopting"),
        on("openPullRequest", "opening"),
        on("rerunCheck", "rerunning"),
        on("updateBranch", "updating"),
        on("addPullRequestTask", "adding"),
        on("answerThread", "answering"),
        to("watching"),
      ),
      rerunning: ask("rerunCheck", on("rerun", "watching"), ...others),
      updating: ask("updateBranch", on("done", "watching"), ...others),
      adding: ask("addPullRequestTask", on("inserted", "more"), on("changed", "watching"), ...others),
      answering: ask("answerThread", on("answered", "watching"), ...others),
      confirming: ask("confirmPullRequest", on("confirmed", "ready"), on("changed", "watching"), ...others),
      ...ends("more", "ready", "merged", "exhausted", "gated", "cancelled"),
    }),
    context: { end: null },
    initial: "pushing",
    on: { cancel: ".cancelled" },
    output: ({ context, event }) => ({ kind: nameOf(event) as PullRequestOutcome["kind"], ...context }),
  }) as unknown as PullRequestMachine;

/**
 * Transitions for three kinds of answers: a limit, a temporary problem of the forge or remote, and a question (any
 * other answer).
 */
const others = [on("denied", "exhausted", "end"), on("hindered", "resting"), to("gated", "end")];
