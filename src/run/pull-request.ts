import type { Answer, EffectInput, EffectName } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { Denial } from "../model/limits.ts";
import { interpreted } from "../model/parse-json.ts";
import type { NewTask } from "../model/plan-change.ts";
import type { Policy } from "../model/policy.ts";
import { type Book, noBook } from "../model/pull-request.ts";
import { PullRequestPolicy } from "../model/pull-request-policy.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { shippingEffects } from "../model/shipping-effects.ts";
import type { Shipping } from "../model/turn.ts";
import { afterAdding, afterResult, afterShipping } from "../recover/pull-request-tasks.ts";

export type ShippingName = keyof typeof shippingEffects;

export const isShipping = (name: EffectName): name is ShippingName => Object.hasOwn(shippingEffects, name);

const asDefault = PullRequestPolicy.parse({}, interpreted);
const partOf = ({ pullRequest = asDefault }: Policy): PullRequestPolicy => pullRequest;

const notBegun: Shipping = { step: 0, due: null, hindered: null };
const shippingIn = ({ turn }: RunState): Shipping => turn.shipping ?? notBegun;

/** Deadline of a pull request, in milliseconds since 1970; null before the first push. */
const deadlineOf = ({ since }: Book, policy: Policy): number | null =>
  since === null ? null : since + partOf(policy).maxTime;

export function inputOnPullRequest(state: RunState, policy: Policy, name: ShippingName): EffectInput<ShippingName> {
  const { step, due, hindered } = shippingIn(state);
  const key = `pr#${Math.max(1, state.turns)}.${step + 1}/${name}`;
  const asked = { key, policy: partOf(policy) };
  return { ...asked, ...requests[name]({ book: bookOf(state), policy, due, hindered }) } as EffectInput<ShippingName>;
}

interface Asking extends Pick<Shipping, "hindered"> {
  readonly book: Book;
  readonly policy: Policy;
  /** The due action, of the kind that leads to the requested effect. */
  readonly due: unknown;
}

const numbered = ({ book: { number, head } }: Asking) => ({ number, head });
const withBook = (asking: Asking) => ({ ...numbered(asking), book: asking.book });
type Due<Kind extends string> = Extract<NonNullable<Shipping["due"]>, { kind: Kind }>;

const requests: { readonly [Name in ShippingName]: (asking: Asking) => object } = {
  pushBranch: ({ book, policy }) => ({ head: book.head, commit: policy.commit !== false }),
  adoptHead: ({ due }) => ({ head: (due as Due<"moved">).head ?? "" }),
  openPullRequest: ({ book: { head } }) => ({ head }),
  readPullRequest: withBook,
  awaitChange: (asking) => {
    const { reason, until } = asking.due as Due<"pending">;
    return { ...withBook(asking), reason, until };
  },
  awaitTime: ({ book, policy, hindered }) => {
    const { effect, reason, until } = hindered as NonNullable<Shipping["hindered"]>;
    const at = effect === "pushBranch" || effect === "adoptHead" ? "remote" : "forge";
    return { reason, until, limit: deadlineOf(book, policy), number: book.number, at };
  },
  rerunCheck: (asking) => {
    const { check, job } = asking.due as Due<"rerunDue">;
    return { ...numbered(asking), check, job };
  },
  updateBranch: numbered,
  addPullRequestTask: (asking) => {
    const { cause } = asking.due as Due<"failing">;
    return { ...withBook(asking), cause, finalVerify: asking.policy.finalVerify };
  },
  answerThread: (asking) => {
    const { thread, comment, task } = asking.due as Due<"answerDue">;
    return { ...withBook(asking), thread, comment, task };
  },
  confirmPullRequest: (asking) => {
    const { finalVerify, verifyTimeout } = asking.policy;
    return { ...withBook(asking), finalVerify, timeoutMs: verifyTimeout };
  },
};

/**
 * Add facts from the state to an answer before the answer is recorded, such as the existence of a pull request. A wait
 * beyond the deadline of the pull request is denied.
 */
export function completeAnswer<Name extends EffectName>(
  state: RunState,
  policy: Policy,
  name: Name,
  answer: Answer<Name>,
): Answer<Name> {
  const { kind } = answer;
  const book = bookOf(state);
  if (name === "chooseTask") {
    return kind === "none" && policy.pullRequest !== undefined ? { ...answer, ships: true } : answer;
  }
  if (kind === "gate" && policy.unattended && waitsAlone.has(name) && answer.ofRun !== true) {
    return { ...answer, parked: true };
  }
  if (name === "awaitTime") return { ...answer, effect: shippingIn(state).hindered?.effect };
  if (kind === "pushed" || kind === "adopted") return book.number === null ? answer : { ...answer, known: true };
  if (kind !== "hindered") return answer;
  const limit = deadlineOf(book, policy);
  if (limit === null || answer.until < limit) return answer;
  const task = `pull request ${book.number ?? ""}`.trim();
  const denial: Denial = { kind: "denied", limit: "maxTime", task, max: partOf(policy).maxTime };
  return { ...answer, denial };
}

/** Effects whose questions are about one task. */
const waitsAlone: ReadonlySet<EffectName> = new Set(["changePlan", "verify", "review", "wait", "askPerson"]);

/** Track the work on a pull request. A repeated question keeps its key. */
export function noteShipping(state: RunState, { effect, answer }: Answered): void {
  if (!isShipping(effect) || answer.kind === "gate") return;
  const { step, due } = shippingIn(state);
  const after = { step: step + 1, due, hindered: null };
  if (answer.kind === "hindered") {
    const { reason, until } = answer;
    state.turn.shipping = { ...after, hindered: { effect, reason, until } };
  } else {
    const isFound = effect === "pushBranch" || effect === "readPullRequest";
    state.turn.shipping = isFound ? { ...after, due: answer } : after;
  }
}

const wanting = ({ requesting }: { readonly requesting?: string[] | undefined }) =>
  requesting === undefined ? {} : { requesting };

/**
 * Derive the event shown for a pull-request answer.
 *
 * @param state The state after the answer.
 */
export function eventOfShipping(state: RunState, answer: Answer<ShippingName>): RunEvent | null {
  const { number, url, head } = bookOf(state);
  const place = { number: number as number, url: url as string };
  const { due } = shippingIn(state);
  switch (answer.kind) {
    case "pushed":
      return { type: "pr.pushed", head: answer.head };
    case "opened":
      return { type: "pr.opened", number: answer.number, url: answer.url, created: answer.created };
    case "hindered":
      return answer.denial === undefined ? { type: "pr.waiting", reason: answer.reason, until: answer.until } : null;
    case "pending":
      return { type: "pr.waiting", reason: answer.reason, until: answer.until };
    case "green":
      return answer.flaky.length > 0 ? { type: "check.flaky", checks: answer.flaky } : null;
    case "rerun":
      return { type: "check.rerun", check: answer.check };
    case "inserted":
      return { type: "pr.task", task: answer.task, title: answer.title, about: (due as Due<"failing">).cause.kind };
    case "answered":
      return { type: "review.answered", task: (due as Due<"answerDue">).task };
    case "confirmed":
      return { type: "pr.ready", ...place, head: head as string, ...wanting(answer) };
    case "merged":
      return { type: "pr.merged", ...place, ...wanting(answer) };
    default:
      return null;
  }
}

const keptReply = 4000;

export const bookOf = ({ pullRequest = noBook }: Pick<RunState, "pullRequest">): Book => pullRequest;

export function addToBook(
  state: RunState,
  { key, cause, checks, plan }: Extract<RunRecord, { type: "addition" }>,
): void {
  const added = plan.tasks[0] as NewTask;
  state.turn.addition = { key, change: plan, checks };
  state.pullRequest = afterAdding(bookOf(state), added.id, { cause, checks });
}

export function noteAdded(state: RunState, attempt: AttemptKey, commit: string | null): void {
  if (state.pullRequest === undefined) return;
  const reply = at(state.turn.attempts, attempt)?.reply.text ?? "";
  state.pullRequest = afterResult(state.pullRequest, taskOf(attempt), { commit, reply: reply.slice(-keptReply) });
}

export function keepBook(state: RunState, record: Answered): void {
  const { answer } = record;
  if (answer.kind === "green") {
    // A green check confirms the tasks made for it.
    for (const [task, { cause }] of Object.entries(bookOf(state).tasks)) {
      if (cause.kind === "check") state.proofs[task] = { kind: "proven" };
    }
  }
  const after = afterShipping(bookOf(state), answer);
  if (after !== bookOf(state)) state.pullRequest = after;
}
