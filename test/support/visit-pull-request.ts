import type { createPullRequestMachine } from "../../machines/pull-request.ts";
import { noBook } from "../../src/model/pull-request-book.ts";
import type { PullRequestContext } from "../../src/model/pull-request-context.ts";
import { pending, type report, type send, type start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";

interface Stepping {
  readonly start: typeof start;
  readonly report: typeof report;
  readonly send: typeof send;
}

const gate = { kind: "gate", reason: "r", hint: "h" };
export const overdue = { kind: "denied", limit: "maxTime", task: "pull request 7", max: 1 };
const people = [{ type: "cancel" }, { type: "pause" }, { type: "resume" }];

/**
 * Go every way through the chart of a pull request: in every state that differs in what it may lead to, every answer that
 * may be given. Gives the states that were reached.
 */
export function visitPullRequest(
  machine: ReturnType<typeof createPullRequestMachine>,
  { start, report, send }: Stepping,
): ReadonlySet<string> {
  const late = 2 ** 50;
  const hindered = [1, late].map((until) => ({ kind: "hindered", reason: "busy", until, detail: "" }));
  const cause = { kind: "check", check: "c", job: null, head: "h" };
  const answers: Readonly<Record<string, readonly object[]>> = {
    pushBranch: [
      { kind: "pushed", head: "h", fresh: true, at: 0 },
      { kind: "moved", head: "g" },
      { kind: "moved", head: null },
    ],
    adoptHead: [{ kind: "adopted", head: "g", authors: [], at: 0 }],
    openPullRequest: [{ kind: "opened", number: 7, url: "u", created: true }],
    readPullRequest: [
      ...[{ kind: "merged" }, { kind: "moved", head: "g" }, { kind: "behind" }, { kind: "failing", cause }],
      { kind: "answerDue", thread: "t", comment: "c", task: "5.5" },
      ...[{ kind: "rerunDue", check: "c", job: "j" }, { kind: "pending", reason: "checks", until: 1 }, overdue],
      ...[[], ["c"]].map((flaky) => ({ kind: "green", flaky })),
    ],
    ...{ awaitChange: [{ kind: "done" }], awaitTime: [{ kind: "done" }], updateBranch: [{ kind: "done" }] },
    rerunCheck: [{ kind: "rerun", check: "c" }],
    addPullRequestTask: [{ kind: "inserted", task: "5.5", checks: [], title: "t" }, { kind: "changed" }],
    answerThread: [{ kind: "answered", thread: "t", comment: "c" }],
    confirmPullRequest: [{ kind: "confirmed" }, { kind: "changed" }],
  };
  const seen = new Set<string>();
  const states = new Set<string>();
  const visit = (state: StepState): void => {
    const node = state.nodes[""] as { readonly value: string; readonly context: PullRequestContext };
    states.add(node.value);
    const { wait, book } = node.context;
    const name = [node.value, wait?.back, book.number, book.since].join();
    if (seen.has(name) || state.status === "done") return;
    seen.add(name);
    for (const event of people) visit(send(machine, stored(state), event as never).state);
    for (const { key, name: effect } of pending(machine, state)) {
      const own = [...(answers[effect] ?? []), ...(effect.startsWith("await") ? [] : [...hindered, gate])];
      for (const answer of own) visit(report(machine, stored(state), key, answer as never).state);
    }
  };
  visit(start(machine, {}).state);
  visit(start(machine, { book: { ...noBook, number: 7, url: "u", head: "h", since: 0, pushedAt: 0 } }).state);
  return states;
}

const stored = (state: StepState): StepState => JSON.parse(JSON.stringify(state)) as StepState;
