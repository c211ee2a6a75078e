import type { PullRequestContext } from "../src/model/pull-request-context.ts";
import type { Question } from "../src/model/question.ts";
import { type PullRequestSetup, place } from "./pull-request-setup.ts";
import { answerIn } from "./task-outcome.ts";

/** How the work on a pull request ends. @internal */
export const endings = ({ createStateConfig: state }: PullRequestSetup) => ({
  more: state({
    description: "A task was added: it is done like any other, and the branch is pushed again.",
    type: "final",
    tags: "settled",
    output: ({ event }) => ({ kind: "more", task: (answerIn(event) as { readonly task: string }).task }),
  }),
  ready: state({
    description: "Everything is green and confirmed at the head of the branch.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({ kind: "ready", ...place(context), head: context.book.head as string }),
  }),
  merged: state({
    description: "Somebody has merged it.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({ kind: "merged", ...place(context) }),
  }),
  exhausted: state({
    description: "A limit of the pull request is reached.",
    type: "final",
    tags: "settled",
    output: ({ context }) => ({
      kind: "exhausted",
      denial: context.stop as NonNullable<PullRequestContext["stop"]>,
    }),
  }),
  gated: state({
    description: "Only a person can decide how to go on.",
    type: "final",
    tags: "settled",
    output: ({ event }) => answerIn(event) as Question,
  }),
  cancelled: state({
    description: "The run was told to give the pull request up.",
    type: "final",
    tags: "settled",
    output: { kind: "cancelled" },
  }),
});
