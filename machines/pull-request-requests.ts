import type { EffectName } from "../src/model/effect.ts";
import { interpreted } from "../src/model/interpreted.ts";
import type { Policy } from "../src/model/policy.ts";
import type { PullRequestContext } from "../src/model/pull-request-context.ts";
import { PullRequestPolicy } from "../src/model/pull-request-policy.ts";

/** Policies without a part of their own for it make one as the defaults say. */
const asDefault = PullRequestPolicy.parse({}, interpreted);

/** What every effect of a pull request is asked with. */
const asked = <Name extends EffectName>(
  { turn, step, policy }: PullRequestContext,
  effect: Name,
): { key: `pr#${number}.${number}/${Name}`; policy: PullRequestPolicy } => ({
  key: `pr#${turn}.${step}/${effect}`,
  policy: partOf(policy),
});

/** What a policy says of pull requests. @internal */
export const partOf = ({ pullRequest = asDefault }: Policy): PullRequestPolicy => pullRequest;

/** When its time is over, in milliseconds since 1970; null before the first push. @internal */
export const deadlineOf = ({ book, policy }: PullRequestContext): number | null =>
  book.since === null ? null : book.since + partOf(policy).maxTime;

/** The same, once it is opened. */
const askedOf = <Name extends EffectName>(context: PullRequestContext, effect: Name) => ({
  ...asked(context, effect),
  number: context.book.number as number,
  head: context.book.head as string,
});

/** What the chart of a pull request asks for with each effect. @internal */
export const requests = {
  pushBranch: ({ context }: Asking) => ({
    ...asked(context, "pushBranch"),
    head: context.book.head,
    commit: context.policy.commit !== false,
  }),
  adoptHead: ({ context }: Asking) => ({ ...asked(context, "adoptHead"), head: context.foreign ?? "" }),
  openPullRequest: ({ context }: Asking) => ({
    ...asked(context, "openPullRequest"),
    head: context.book.head as string,
  }),
  readPullRequest: ({ context }: Asking) => ({ ...askedOf(context, "readPullRequest"), book: context.book }),
  awaitChange: ({ context }: Asking) => ({
    ...askedOf(context, "awaitChange"),
    reason: context.wait?.reason as "checks" | "merge",
    until: context.wait?.until as number,
    book: context.book,
  }),
  awaitTime: ({ context }: Asking) => ({
    ...asked(context, "awaitTime"),
    reason: context.wait?.reason as string,
    until: context.wait?.until as number,
    limit: deadlineOf(context),
    number: context.book.number,
    at:
      context.wait?.back === "pushing" || context.wait?.back === "adopting" ? ("remote" as const) : ("forge" as const),
  }),
  rerunCheck: ({ context }: Asking) => ({
    ...askedOf(context, "rerunCheck"),
    ...(context.again as NonNullable<PullRequestContext["again"]>),
  }),
  updateBranch: ({ context }: Asking) => askedOf(context, "updateBranch"),
  addPullRequestTask: ({ context }: Asking) => ({
    ...askedOf(context, "addPullRequestTask"),
    cause: context.cause as NonNullable<PullRequestContext["cause"]>,
    book: context.book,
    finalVerify: context.policy.finalVerify,
  }),
  answerThread: ({ context }: Asking) => ({
    ...askedOf(context, "answerThread"),
    ...(context.reply as NonNullable<PullRequestContext["reply"]>),
    book: context.book,
  }),
  confirmPullRequest: ({ context }: Asking) => ({
    ...askedOf(context, "confirmPullRequest"),
    book: context.book,
    finalVerify: context.policy.finalVerify,
    timeoutMs: context.policy.verifyTimeout,
  }),
};

interface Asking {
  readonly context: PullRequestContext;
}
