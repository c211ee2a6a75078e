import { describe, expect, it } from "vitest";
import { createActs } from "../../src/effects/create-effects.ts";
import { createRunMemory, type RunMemory } from "../../src/effects/run-memory.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { RunState } from "../../src/model/run-state.ts";
import type { Speaker } from "../../src/model/speaker.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import {
  hear,
  type Move,
  openSession,
  outcomeOf,
  performable,
  type Session,
  takeAnswer,
} from "../../src/runtime/session.ts";
import { specMachine } from "../../src/runtime/spec-machine.ts";
import { start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { walkTurn } from "../../src/runtime/walk.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { recordedRun } from "../support/journals/recorded-run.ts";
import { memoryPorts } from "../support/memory-run.ts";

const again = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const guidance = (text: string): PersonEvent => ({ type: "guidance.given", text });

/** A host that keeps a run as JSON between any two moves, and performs one effect at a time. */
function stepwise(tasks: string, script: Parameters<typeof scriptedExecutor>[0] = {}) {
  const store = memoryStore(tasks);
  const executor = scriptedExecutor(script);
  const said: string[] = [];
  const dropped: string[] = [];
  const known = { text: null };
  let kept: { charts: StepState; run: RunState } | undefined;
  const woken = (): RunMemory => createRunMemory({ state: kept && again(kept.run) });
  const follow = (memory: RunMemory, { charts, records, events, drop }: Move, facts?: object): void => {
    memory.record(records, { facts });
    said.push(...events.map(({ type }) => type));
    dropped.push(...drop);
    kept = again({ charts, run: memory.state });
  };
  const session = (): Session => again(kept as Session);
  follow(
    woken(),
    openSession(start(specMachine(), { policy: Policy.parse({ recovery: ["fix"] }), turn: 1 }).state, { now: 0 }),
  );
  return {
    executor,
    store,
    said,
    dropped,
    session,
    performable: () => performable(session().charts),
    outcome: () => outcomeOf(session().charts),
    say: (event: PersonEvent) => follow(woken(), hear(session(), { event })),
    perform: async (effect: Effect) => {
      const { name, input } = effect;
      const memory = woken();
      const acts = createActs({ ...memoryPorts(store, executor), known, attempts: memory });
      const act = acts[name] as (of: unknown, signal: AbortSignal) => Promise<{ answer: unknown; facts?: object }>;
      const { answer, facts } = await act(input, new AbortController().signal);
      follow(memory, takeAnswer(session(), effect, answer), facts);
    },
    async finish(): Promise<void> {
      for (let [effect] = this.performable(); effect !== undefined; [effect] = this.performable()) {
        await this.perform(effect);
      }
    },
  };
}

describe("a session", () => {
  it("brings a run to its end that is kept as JSON between any two moves", async () => {
    const host = stepwise("- [ ] 1.1 First\n- [ ] 1.2 Second\n", { "1.1": [failedReply("1.1", "no such file")] });
    await host.finish();
    expect(host.outcome()).toEqual({ kind: "complete" });
    expect(host.executor.delegations.map(({ key }) => key)).toEqual(["1.1#1", "1.1.1#1", "1.1#2", "1.2#1"]);
    expect(host.store.tasks.text).toContain("- [x] 1.1.1 [FIX 1.1]");
    expect(host.store.tasks.text).not.toContain("[ ]");
  });

  it("begins no delegation while it is paused, and goes on when it is resumed", async () => {
    const host = stepwise("- [ ] 1.1 First\n");
    host.say({ type: "pause" });
    await host.finish();
    expect([host.outcome(), host.executor.delegations]).toEqual([null, []]);
    host.say({ type: "resume" });
    await host.finish();
    expect(host.outcome()).toEqual({ kind: "complete" });
    expect(host.said.filter((type) => type.startsWith("run."))).toEqual(["run.paused", "run.resumed"]);
  });

  it("is let go on by whoever opens it, who is recorded", () => {
    const by = { kind: "terminal", terminal: "pts/1", process: "sh", pid: 1 } as const;
    const host = stepwise("- [ ] 1.1 First\n");
    host.say({ type: "pause" });
    const move = openSession(host.session().charts, { now: 0, speaker: by });
    expect(move.records).toEqual([{ type: "said", event: { type: "resume" }, by }]);
    expect(move.events).toEqual([{ type: "run.resumed" }]);
  });

  it("keeps advice that nobody was at work to hear until a task is chosen", async () => {
    const host = stepwise("- [ ] 1.1 First\n- [ ] 1.2 Second\n");
    host.say(guidance("Never mind"));
    host.say(guidance("Use the other library"));
    await host.finish();
    const advised = host.executor.delegations.map(({ prompt }) => prompt.includes("Use the other library"));
    expect(advised).toEqual([true, false]);
  });

  it("names what nobody waits for any more", async () => {
    const host = stepwise("- [ ] 1.1 First\n");
    const [choice] = host.performable();
    await host.perform(choice as Effect);
    host.say({ type: "cancel" });
    expect(host.dropped).toEqual(["1.1#1/delegate"]);
    expect(host.outcome()).toEqual({ kind: "cancelled" });
    host.say({ type: "resume" });
    expect([host.performable(), host.said.filter((type) => type === "run.resumed")]).toEqual([[], []]);
  });

  it("changes nothing when an answer comes twice", async () => {
    const host = stepwise("- [ ] 1.1 First\n");
    const [choice] = host.performable();
    await host.perform(choice as Effect);
    const { charts, run } = host.session();
    const { charts: after, events } = takeAnswer({ charts, run }, choice as Effect, { kind: "none" });
    expect([after, events]).toEqual([charts, []]);
  });

  it("is not performed by effects that do not know how it has left the plan", () => {
    const ports = memoryPorts(memoryStore("- [ ] 1.1 First\n"), scriptedExecutor());
    const begun = createRunMemory();
    expect(() => createActs({ ...ports, attempts: begun })).not.toThrow();
    begun.apply({ type: "answered", effect: "chooseTask", key: "run#1/chooseTask", answer: { kind: "none" } });
    const unknown = expect.objectContaining({ code: "plan-unknown" });
    expect(() => createActs({ ...ports, attempts: begun })).toThrow(unknown);
    expect(() => createActs({ ...ports, attempts: begun, known: { text: null } })).toThrow(unknown);
    expect(() => createActs({ ...ports, attempts: begun, known: { text: "" } })).not.toThrow();
  });
});

/** The charts of a recorded run behind its first records. */
function chartsBehind(name: string, isLast: (record: TimedRunRecord) => boolean): StepState {
  const [start] = recordedRun(name).starts as [RecordedStart];
  const records = start.records.slice(0, start.records.findIndex(isLast) + 1);
  return walkTurn({ policy: start.policy, turn: 1 }, records).walk.state;
}
const answers = (effect: string) => (record: TimedRunRecord) => record.type === "answered" && record.effect === effect;
const by = { kind: "terminal", terminal: "/dev/pts/3", process: "bash", pid: 7 } as const;
const open = { advice: null };

describe("a session that is opened", () => {
  it("tells a wait that is still ahead, and none that is over", () => {
    const charts = chartsBehind("rate-limit", answers("readFailure"));
    const [effect] = performable(charts) as [Effect];
    const { until } = effect.input as { until: number };
    expect(openSession(charts, { now: until - 1 })).toEqual({
      ...{ charts, records: [], drop: [] },
      events: [expect.objectContaining({ type: "waiting", task: "1.1", reason: "rate-limit", until })],
    });
    expect(openSession(charts, { now: until }).events).toEqual([]);
  });

  it("tells nothing of other effects that are asked for", () => {
    expect(openSession(chartsBehind("complete", answers("chooseTask")), { now: 0 }).events).toEqual([]);
  });

  it("lets a run go on that was paused, in the name of who starts it", () => {
    const charts = hear(
      { charts: chartsBehind("complete", answers("chooseTask")), run: open },
      { event: { type: "pause" } },
    );
    const move = openSession(charts.charts, { now: 0, speaker: by });
    expect(move.records).toEqual([{ type: "said", event: { type: "resume" }, by }]);
    expect(move.events).toEqual([{ type: "run.resumed" }]);
    expect(performable(move.charts).map(({ key }) => key)).toEqual(["1.1#1/delegate"]);
  });
});

describe("what is said to a session while it asks a person", () => {
  const charts = () => chartsBehind("blocked", answers("verify"));
  const question = "1.1#1/askPerson";
  const decided = { type: "decision.made", decision: "retry" } as const;

  it("is the answer, also when it is said to that very question", () => {
    for (const to of [undefined, question]) {
      const { records, drop } = hear({ charts: charts(), run: open }, { event: decided, by, ...(to && { to }) });
      const answer = { kind: "decided", decision: "retry" };
      expect(records).toEqual([{ type: "answered", effect: "askPerson", key: question, answer, by }]);
      expect(drop).toEqual([question]);
    }
  });

  it("is the answer of a person, or of the program that drives the run or starts it, and of no other", () => {
    const answered = (speaker: object) =>
      hear({ charts: charts(), run: open }, { event: decided, ...speaker }).records.length > 0;
    const as = (kind: Speaker["kind"]) => ({ by: { ...by, kind, word: "inbox" } });
    expect([{}, as("terminal"), as("page"), as("program"), as("run")].map(answered)).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
    // A start that was given the decision has no word in the inbox.
    expect(answered({ by: { ...by, kind: "program", word: undefined } })).toBe(true);
    const given = charts();
    const advice = { event: guidance("Use the pool"), ...as("program") };
    expect(hear({ charts: given, run: open }, advice)).toMatchObject({ charts: given, records: [], drop: [] });
    const { records } = hear({ charts: given, run: open }, { event: { type: "pause" }, ...as("program") });
    expect(records).toMatchObject([{ type: "said", event: { type: "pause" } }]);
  });

  it("is nothing when it is said to another question", () => {
    const given = charts();
    const move = { charts: given, records: [], events: [], drop: [] };
    expect(hear({ charts: given, run: open }, { event: decided, to: "1.1#7/askPerson" })).toEqual(move);
    const before = chartsBehind("blocked", answers("chooseTask"));
    expect(hear({ charts: before, run: open }, { event: decided, to: question })).toEqual({ ...move, charts: before });
  });

  it("is advice as an answer, and no answer when it is neither advice nor a decision", () => {
    const guided = hear({ charts: charts(), run: open }, { event: guidance("use zod") });
    expect(guided.records).toMatchObject([{ effect: "askPerson", answer: { kind: "guided", text: "use zod" } }]);
    const paused = hear({ charts: charts(), run: open }, { event: { type: "pause" } });
    expect([paused.records, paused.drop]).toEqual([[{ type: "said", event: { type: "pause" } }], []]);
  });
});

describe("what a paused session may do", () => {
  it("is to check what was claimed, but to delegate nothing", () => {
    const said = { event: { type: "pause" } } as const;
    const checking = hear({ charts: chartsBehind("complete", answers("delegate")), run: open }, said);
    expect(performable(checking.charts).map(({ key }) => key)).toEqual(["1.1#1/verify"]);
    const delegating = hear({ charts: chartsBehind("complete", answers("chooseTask")), run: open }, said);
    expect(performable(delegating.charts)).toEqual([]);
  });
});

describe("advice", () => {
  const advice = { text: "use zod", by };
  const [first] = performable(start(specMachine(), {}).state) as [Effect];
  const fresh = () => start(specMachine(), {}).state;
  const chosen = (root: string) => ({ root, current: root, spent: {} });

  it("is for the tasks that are at work, each by its root", () => {
    const { records, events } = hear(
      { charts: chartsBehind("batch", answers("chooseTask")), run: open },
      { event: guidance("use zod"), by },
    );
    expect(records).toEqual([
      ...["1.1", "1.2"].map((task) => ({ type: "guided", task, text: "use zod", by })),
      { type: "said", event: guidance("use zod"), by },
    ]);
    expect(events).toEqual([]);
  });

  it("is kept for later where no task is at work", () => {
    const charts = fresh();
    const move = hear({ charts, run: open }, { event: guidance("use zod"), by });
    expect(move).toEqual({ charts, records: [{ type: "advised", text: "use zod", by }], events: [], drop: [] });
  });

  it("goes to the task that is chosen next, and to each of a batch", () => {
    const alone = takeAnswer({ charts: fresh(), run: { advice } }, first, { kind: "task", ...chosen("1.1") });
    expect(alone.records).toEqual([
      { type: "guided", task: "1.1", text: "use zod", by },
      expect.objectContaining({
        effect: "chooseTask",
        answer: { kind: "task", ...chosen("1.1"), guidance: "use zod" },
      }),
    ]);
    const members = ["1.1", "1.2"].map((root) => ({ ...chosen(root), after: [] }));
    const batch = takeAnswer({ charts: fresh(), run: { advice } }, first, { kind: "batch", members });
    expect(batch.records).toEqual([
      ...["1.1", "1.2"].map((task) => ({ type: "guided", task, text: "use zod", by })),
      expect.objectContaining({
        answer: { kind: "batch", members: members.map((member) => ({ ...member, guidance: "use zod" })) },
      }),
    ]);
  });

  it("is left where it is when no task is chosen, or nobody waits for the choice any more", () => {
    const none = takeAnswer({ charts: fresh(), run: { advice } }, first, { kind: "none" });
    expect(none.records).toMatchObject([{ effect: "chooseTask", answer: { kind: "none" } }]);
    const late = { charts: chartsBehind("complete", answers("chooseTask")), run: { advice } };
    const { records } = takeAnswer(late, first, { kind: "task", ...chosen("1.1") });
    expect(records).toMatchObject([{ answer: { kind: "task", ...chosen("1.1") } }]);
    expect(JSON.stringify(records)).not.toContain("zod");
  });
});
