import { assign, emit, setup } from "xstate";
import type { Effects } from "../src/effects/create-effects.ts";
import type { Answer, EffectName } from "../src/model/effect.ts";
import type { PersonEvent } from "../src/model/person-event.ts";
import type { readPolicy } from "../src/model/policy.ts";
import type { PullRequestContext } from "../src/model/pull-request-context.ts";
import { afterShipping } from "../src/recover/track-pull-request.ts";
import type { Emitted } from "./machine-type.ts";
import type { PullRequestOutcome } from "./pull-request-outcome.ts";
import { deadlineOf, partOf } from "./pull-request-requests.ts";
import { socket } from "./socket.ts";
import { answers, when } from "./when.ts";

export type PullRequestEmitted = Emitted<
  | "pr.pushed"
  | "pr.opened"
  | "pr.waiting"
  | "pr.task"
  | "pr.ready"
  | "pr.merged"
  | "check.rerun"
  | "check.flaky"
  | "review.answered"
>;

/**
 * What the chart of a pull request is made of.
 *
 * @internal
 */
export function pullRequestSetup(effects: Effects | undefined) {
  return setup({
    types: {
      input: {} as { readonly policy?: ReturnType<typeof readPolicy> } | undefined,
      context: {} as PullRequestContext,
      output: {} as PullRequestOutcome,
      events: {} as PersonEvent,
      emitted: {} as PullRequestEmitted,
      tags: {} as "busy" | "waiting" | "settled",
    },
    actors: {
      pushBranch: socket("pushBranch", effects),
      openPullRequest: socket("openPullRequest", effects),
      readPullRequest: socket("readPullRequest", effects),
      awaitChange: socket("awaitChange", effects),
      awaitTime: socket("awaitTime", effects),
      adoptHead: socket("adoptHead", effects),
      rerunCheck: socket("rerunCheck", effects),
      updateBranch: socket("updateBranch", effects),
      addPullRequestTask: socket("addPullRequestTask", effects),
      answerThread: socket("answerThread", effects),
      confirmPullRequest: socket("confirmPullRequest", effects),
    },
    guards: {
      ...answers("hindered", "pushed", "moved", "opened", "merged", "behind", "failing", "answerDue", "rerunDue"),
      ...answers(
        "pending",
        "green",
        "adopted",
        "inserted",
        "confirmed",
        "changed",
        "denied",
        "done",
        "rerun",
        "answered",
      ),
      isOpen: ({ context }, { kind }: { kind: string }) =>
        (kind === "pushed" || kind === "adopted") && context.book.number !== null,
      // What is hindered beyond its time is given up at once.
      overTime: ({ context }, answer: { kind: string; until?: number }) =>
        answer.kind === "hindered" && (answer.until as number) >= (deadlineOf(context) ?? Number.POSITIVE_INFINITY),
      flakyGreen: (_, answer: { kind: string; flaky?: readonly string[] }) =>
        answer.kind === "green" && answer.flaky?.length !== 0,
      /** Which of the states it is that could not go on and rests. */
      wasAt: ({ context }, { state }: { state: string }) => context.wait?.back === state,
    },
    actions: {
      next: assign(({ context }) => ({ step: context.step + 1 })),
      note: assign(({ context }, answer: Answer<EffectName>) => ({ book: afterShipping(context.book, answer) })),
      recordCause: assign((_, { cause }: Read<"failing">) => ({ cause })),
      recordRerun: assign((_, { check, job }: Read<"rerunDue">) => ({ again: { check, job } })),
      recordReply: assign((_, { thread, comment, task }: Read<"answerDue">) => ({ reply: { thread, comment, task } })),
      recordForeign: assign((_, { head }: { head: string | null }) => ({ foreign: head })),
      recordStop: assign((_, denial: Read<"denied">) => ({ stop: denial })),
      recordOverTime: assign(({ context }) => ({ stop: outOfTime(context) })),
      recordPending: assign((_, { reason, until }: Read<"pending">) => ({ wait: { back: "watching", reason, until } })),
      recordWait: assign((_, { back, reason, until }: Waiting) => ({ wait: { back, reason, until } })),
      announcePush: emit((_, { head }: Extract<Answer<"pushBranch">, { kind: "pushed" }>) => ({
        type: "pr.pushed" as const,
        head,
      })),
      announceOpening: emit((_, { number, url, created }: Extract<Answer<"openPullRequest">, { kind: "opened" }>) => {
        return { type: "pr.opened" as const, number, url, created };
      }),
      announceWait: emit(({ context }) => {
        const { reason, until } = context.wait as NonNullable<PullRequestContext["wait"]>;
        return { type: "pr.waiting" as const, reason, until };
      }),
      announceRerun: emit((_, { check }: { check: string }) => ({ type: "check.rerun" as const, check })),
      announceFlaky: emit((_, { flaky }: Read<"green">) => ({ type: "check.flaky" as const, checks: flaky })),
      announceTask: emit(
        ({ context }, { task, title }: Extract<Answer<"addPullRequestTask">, { kind: "inserted" }>) => {
          const about = (context.cause as NonNullable<PullRequestContext["cause"]>).kind;
          return { type: "pr.task" as const, task, title, about };
        },
      ),
      announceAnswer: emit(({ context }) => {
        return {
          type: "review.answered" as const,
          task: (context.reply as NonNullable<PullRequestContext["reply"]>).task,
        };
      }),
      announceReady: emit(({ context }) => ({
        type: "pr.ready" as const,
        ...place(context),
        head: context.book.head as string,
      })),
      announceMerge: emit(({ context }) => ({ type: "pr.merged" as const, ...place(context) })),
    },
  });
}

type Read<Kind extends string> = Extract<Answer<"readPullRequest">, { kind: Kind }>;
interface Waiting {
  readonly back: string;
  readonly reason: string;
  readonly until: number;
}

/** Where a pull request is that was opened. */
export const place = ({ book }: PullRequestContext) => ({ number: book.number as number, url: book.url as string });

const outOfTime = ({ policy, book }: PullRequestContext) => ({
  kind: "denied" as const,
  limit: "maxTime" as const,
  task: `pull request ${book.number ?? ""}`.trim(),
  max: partOf(policy).maxTime,
});

/** @internal */
export type PullRequestSetup = ReturnType<typeof pullRequestSetup>;

/** The way back to a state that could not go on. */
export const wasAt = <State extends string>(state: State) =>
  ({ guard: { type: "wasAt", params: { state } }, target: state }) as const;

/** Ways on from an effect that the forge or the remote may keep from its end. */
export const hindered = <Back extends string>(back: Back) =>
  [
    when("overTime", "exhausted", "recordOverTime"),
    {
      guard: { type: "hindered", params: ({ event }: Done) => event.output as never },
      target: "resting",
      actions: [
        { type: "recordWait", params: ({ event }: Done) => ({ ...(event.output as object), back }) as never },
        "announceWait",
      ],
    },
  ] as const;

interface Done {
  readonly event: { readonly output: unknown };
}
