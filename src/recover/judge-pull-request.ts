import type { Answer } from "../model/effect.ts";
import type { Limit } from "../model/limits.ts";
import { type Book, type Cause, type Check, isSameCause, type Look, tasksFor } from "../model/pull-request.ts";
import type { PullRequestPolicy } from "../model/pull-request-policy.ts";
import { openThreads } from "./open-threads.ts";

interface LookFacts {
  readonly writers: ReadonlySet<string>;
  /** Whether commits of the base have checks; null if unknown. */
  readonly baseChecked: boolean | null;
}

/** `unexplained`: the pull request has no checks, and only the checks of the base branch can explain why. */
export type PullRequestJudgement =
  | Exclude<Answer<"readPullRequest">, { kind: "green" | "merged" }>
  | { readonly kind: "merged" }
  | { readonly kind: "green"; readonly flaky: string[] }
  | { readonly kind: "unexplained" };

/** Maximum number of conflicts that get a task; at the next conflict, a person is asked. */
const mostConflicts = 2;

/**
 * Decide what to do about a pull request after a look. Steps that need no waiting come first.
 *
 * @param now Milliseconds since 1970.
 * @see docs/pull-requests.md
 */
export function judgePullRequest(
  look: Look,
  book: Book,
  policy: PullRequestPolicy,
  now: number,
  { writers, baseChecked }: LookFacts,
): PullRequestJudgement {
  if (look.state === "merged") return { kind: "merged" };
  const { url, head } = look;
  if (look.state === "closed") {
    return ask(`Someone has closed the pull request ${url}`, "Reopen the pull request, then continue");
  }
  const since = book.since ?? now;
  if (now >= since + policy.maxTime) return denied("maxTime", `pull request ${look.number}`, policy.maxTime);
  if (head !== book.head) return { kind: "moved", head };
  // Ignore check results for an earlier head.
  const checks = look.checksOf === head ? look.checks : [];
  const base = { book, policy };
  const conflict = look.merge === "conflicting" ? overConflict(look, base) : null;
  const found = conflict ?? answerDue(book) ?? overThreads(look, writers, base) ?? overRed(look, checks, base);
  if (found !== null) return found;
  const deadline = since + policy.maxTime;
  const waiting = overPending(counted(checks, policy), { policy, now, deadline, pushedAt: book.pushedAt ?? now });
  if (waiting !== null) return waiting;
  // A rerun check may get a new number. Until the new number appears, the state of the check is unknown.
  const isGone = Object.entries(book.reran).some(([name, at]) => at === head && !checks.some(({ id }) => id === name));
  if (isGone) return { kind: "pending", reason: "checks", until: deadline };
  if (checks.length === 0) {
    const appear = (book.pushedAt ?? since) + policy.checksAppear;
    if (now < appear) return { kind: "pending", reason: "checks", until: Math.min(appear, deadline) };
    if (baseChecked === null) return { kind: "unexplained" };
    if (baseChecked) {
      return ask(
        `No check has started for ${url}, although its base has checks`,
        "Check whether the token may start workflows, and whether path filters exclude this change, then continue",
      );
    }
  }
  if (look.merge === "unknown") return { kind: "pending", reason: "merge", until: deadline };
  if (look.merge === "behind" && policy.updateBranch) return { kind: "behind" };
  const flaky = checks.filter(({ id, state }) => state === "passed" && book.reran[id] === head).map(({ id }) => id);
  return { kind: "green", flaky: flaky.filter((id) => !book.flaky.includes(id)) };
}

interface Standing {
  readonly book: Book;
  readonly policy: PullRequestPolicy;
}

/** The checks that must pass: the required checks, or all checks if none is required or the policy asks for all. */
export function counted(checks: readonly Check[], policy: Pick<PullRequestPolicy, "checks">): readonly Check[] {
  const required = checks.filter((check) => check.required);
  return policy.checks === "all" || required.length === 0 ? checks : required;
}

function overConflict({ base, baseHead, head, url }: Look, standing: Standing): PullRequestJudgement {
  const cause = { kind: "conflict", base, baseHead, head } as const;
  const before = tasksFor(standing.book, cause);
  if (before.length >= mostConflicts || before.some(([, task]) => isSameCause(cause, task))) {
    return ask(`${url} still conflicts with \`${base}\``, `Merge \`${base}\` into the branch by hand, then continue`);
  }
  return add(cause, standing);
}

/** A thread whose task is done and that has no reply yet. */
function answerDue({ tasks, answered }: Book): PullRequestJudgement | null {
  for (const [task, { cause, result }] of Object.entries(tasks)) {
    if (cause.kind !== "thread" || result === null || answered[cause.thread] === cause.comment) continue;
    // A later task of the same thread replies for both tasks.
    const isLast = !tasksFor({ tasks }, cause).some(([other]) => isLater(other, task, tasks));
    if (isLast) return { kind: "answerDue", thread: cause.thread, comment: cause.comment, task };
  }
  return null;
}

function isLater(other: string, task: string, tasks: Book["tasks"]): boolean {
  const order = Object.keys(tasks);
  return order.indexOf(other) > order.indexOf(task);
}

function overThreads(look: Look, writers: ReadonlySet<string>, standing: Standing): PullRequestJudgement | null {
  const { book, policy } = standing;
  for (const { thread, comment } of openThreads(look, writers, policy.trustedReviewers)) {
    const cause = { kind: "thread", thread: thread.id, comment: comment.id, head: look.head } as const;
    // Ignore a thread that has a task for its last comment: the thread waits for its reviewer, or the task was skipped.
    const before = tasksFor(book, cause);
    if (before.some(([, task]) => isSameCause(cause, task))) continue;
    if (before.length >= policy.maxTasksPerThread) {
      return denied("maxTasksPerThread", `the thread of ${comment.author}`, policy.maxTasksPerThread);
    }
    return add(cause, standing);
  }
  return null;
}

function overRed(look: Look, checks: readonly Check[], standing: Standing): PullRequestJudgement | null {
  const { book, policy } = standing;
  const { head } = look;
  const red = counted(checks, policy).filter(({ state }) => state !== "passed" && state !== "pending");
  const again = red.find(
    ({ id, state, job }) => state !== "blocked" && job !== null && policy.reruns > 0 && book.reran[id] !== head,
  );
  if (again !== undefined && look.mayWrite && !look.fork) {
    return { kind: "rerunDue", check: again.id, job: again.job as string };
  }
  for (const { id, job, state } of red) {
    if (state === "cancelled") {
      return ask(
        `The check \`${id}\` was cancelled on ${look.url}`,
        "Rerun the check on the page of the pull request, then continue",
      );
    }
    const cause = { kind: "check", check: id, job, head } as const;
    const before = tasksFor(book, cause);
    if (before.some(([, task]) => isSameCause(cause, task))) {
      return ask(
        `The check \`${id}\` still fails, and its task changed nothing`,
        "Fix the cause by hand and commit, then continue",
      );
    }
    if (before.length >= policy.maxFixesPerCheck)
      return denied("maxFixesPerCheck", `check ${id}`, policy.maxFixesPerCheck);
    return add(cause, standing);
  }
  return null;
}

function overPending(
  checks: readonly Check[],
  {
    policy,
    now,
    deadline,
    pushedAt,
  }: {
    readonly policy: PullRequestPolicy;
    readonly now: number;
    readonly deadline: number;
    readonly pushedAt: number;
  },
): PullRequestJudgement | null {
  const pending = checks.filter(({ state }) => state === "pending");
  if (pending.length === 0) return null;
  const stalls = pending.map(({ since }) => (since ?? pushedAt) + policy.checkStall);
  const stuck = pending.find((_, index) => (stalls[index] as number) <= now);
  if (stuck !== undefined) {
    return ask(
      `The check \`${stuck.id}\` has not changed for hours`,
      `Find out why the check does not end${stuck.url === null ? "" : ` (${stuck.url})`}, then continue`,
    );
  }
  return { kind: "pending", reason: "checks", until: Math.min(deadline, ...stalls) };
}

function add(cause: Cause, { book, policy }: Standing): PullRequestJudgement {
  if (Object.keys(book.tasks).length >= policy.maxCycles) {
    return denied("maxCycles", `pull request ${book.number}`, policy.maxCycles);
  }
  return { kind: "failing", cause };
}

const ask = (reason: string, hint: string): PullRequestJudgement => ({ kind: "gate", reason, hint });
const denied = (limit: Limit, task: string, max: number): PullRequestJudgement => ({
  kind: "denied",
  limit,
  task,
  max,
});
