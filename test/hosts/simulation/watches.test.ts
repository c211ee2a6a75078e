import { describe, expect, it } from "vitest";
import { createRunMemory, type RunMemory } from "../../../src/effects/run-memory.ts";
import { compareRuns } from "../../../src/hosts/simulation/compare-runs.ts";
import { type Process, watchWork } from "../../../src/hosts/simulation/processes.ts";
import { calmRates } from "../../../src/hosts/simulation/rates.ts";
import { createScenery } from "../../../src/hosts/simulation/scenery.ts";
import { simulate } from "../../../src/hosts/simulation/simulate.ts";
import { watchChange, watchClosing, watchInsertion, watchTick } from "../../../src/hosts/simulation/watch-edits.ts";
import { watchEnd } from "../../../src/hosts/simulation/watch-end.ts";
import { watchHealth } from "../../../src/hosts/simulation/watch-health.ts";
import { watchLog } from "../../../src/hosts/simulation/watch-log.ts";
import { watchWaits } from "../../../src/hosts/simulation/watch-waits.ts";
import { createWorld, type World } from "../../../src/hosts/simulation/world.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../../../src/model/record.ts";
import { noSeed } from "../../../src/model/run-seed.ts";
import { answered as answeredWith } from "../../support/answered.ts";

const block = (id: string, title = "Task", box = " "): string =>
  `- [${box}] ${id} ${title}\n  - **Verify**: \`check ${id.slice(0, 3)}\`\n`;
const two = block("1.1") + block("1.2");
const worldOf = (text = two): World =>
  createWorld(
    { seed: 1 },
    { text, needs: new Map() },
    readPolicy({ maxTaskIterations: 2, maxGlobalIterations: 3 }),
    calmRates,
  );
const edit = (before: string, after: string) => ({ before: openPlan(before), after: openPlan(after) });
const brokenIn = ({ violations }: World): string[] => [...new Set(violations.map(({ invariant }) => invariant))].sort();
const fix = {
  ...{
    id: "1.1.1",
    fixOf: "1.1",
    summary: "x",
    error: "x",
    attemptedFix: "",
    doneWhen: "",
    files: ".",
    verify: "`check 1.1`",
    commit: "x",
  },
};
const made = (record: RunRecord): TimedRunRecord => ({ at: 0, ...record }) as TimedRunRecord;
const delegated = (task: string, attempt: number): TimedRunRecord =>
  made({ type: "delegated", key: `${task}#${attempt}`, task, role: "executor", attempt, retries: 0, elapsedMs: 0 });
const answered = (key: string, answer: object): TimedRunRecord => made(answeredWith(key, answer));
const memoryOf = (...records: readonly TimedRunRecord[]): RunMemory => {
  const memory = createRunMemory({ open: 2 });
  for (const record of records) memory.apply(record);
  return memory;
};

describe("a tick", () => {
  it.each([
    ["of its own box", two.replace("[ ] 1.1", "[x] 1.1"), []],
    ["of another box", two.replace("[ ] 1.2", "[x] 1.2"), ["I6", "I7"]],
    ["that changes a text", two.replace("[ ] 1.1 Task", "[x] 1.1 Other"), ["I6", "I7"]],
    ["that loses a task", block("1.1", "Task", "x"), ["I6", "I7"]],
  ])("%s", (_, after, broken) => {
    const world = worldOf();
    watchTick(world, { task: "1.1", done: true }, edit(two, after));
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("an insertion", () => {
  const inserted = (own: string): string => block("1.1") + own + block("1.2");
  it.each([
    ["behind what it repairs", inserted(block("1.1.1", "[FIX 1.1] Fix")), []],
    ["without its marker", inserted(block("1.1.1", "Fix")), ["I4"]],
    ["before what it repairs", block("1.1.1", "[FIX 1.1] Fix") + two, ["I3"]],
    ["that is no task", inserted("A note\n"), ["I13", "I3", "I4", "I6"]],
    ["of two tasks", inserted(block("1.1.1", "[FIX 1.1] Fix") + block("9.9")), ["I6"]],
    ["with another Verify", inserted(block("1.1.1", "[FIX 1.1] Fix").replace("check", "rm")), ["I12"]],
    ["and another change", inserted(block("1.1.1", "[FIX 1.1] Fix")).replace("1.2 Task", "1.2 Other"), ["I6", "I7"]],
    ["behind a later one", inserted(block("1.1.2", "[FIX 1.1] Fix") + block("1.1.1", "[FIX 1.1] Fix")), ["I3", "I6"]],
  ])("%s", (_, after, broken) => {
    const world = worldOf();
    watchInsertion(world, fix, edit(two, after));
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("an insertion of a fix without a Verify", () => {
  const bare = { ...fix, verify: null };
  it.each([
    ["that has none", "- [ ] 1.1.1 [FIX 1.1] Fix\n  - **Do**: x\n", []],
    ["that has one in words", "- [ ] 1.1.1 [FIX 1.1] Fix\n  - **Verify**: Look at it\n", ["I12"]],
    ["that has another", block("1.1.1", "[FIX 1.1] Fix").replace("check", "rm"), ["I12"]],
  ])("%s", (_, own, broken) => {
    const world = worldOf();
    watchInsertion(world, bare, edit(two, block("1.1") + own + block("1.2")));
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("a closing", () => {
  const open = block("1.1", "[FIX 1] Fix");
  const closed = open.replace("[ ]", "[x]");
  const note = "  - **Superseded by**: 1.2\n";
  it.each([
    ["with a tick and a note", closed + note, []],
    ["with a note alone", open + note, []],
    ["with a tick alone", closed, []],
    ["with a note of another", closed + note.replace("1.2", "1.20"), ["I7"]],
    ["with more than a note", `${closed}${note}  - **Do**: x\n`, ["I6", "I7"]],
    ["with a tick of another", open + note, ["I6", "I7"], "x"],
  ])("%s", (_, after, broken, other = " ") => {
    const world = worldOf();
    watchClosing(world, "1.1", "1.2", edit(open + block("1.2"), after + block("1.2", "Task", other)));
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("a change of the plan", () => {
  const change = {
    task: "1.1",
    place: "behind",
    tasks: [{ id: "1.1a", markers: [], title: "More", fields: {} }],
  } as const;
  it.each([
    ["in one piece", block("1.1") + block("1.1a") + block("1.2"), []],
    ["that takes a task away", block("1.1") + block("1.1a"), ["I6", "I7"]],
  ])("%s", (_, after, broken) => {
    const world = worldOf();
    watchChange(world, change, edit(two, after));
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("the progress log", () => {
  const ended = (task: string, final: string): string =>
    `- Task ${task}: 1 fix attempted (${task}.1) - Final: ${final}\n`;
  it.each([
    ["grows", "# Progress\n- a\n", "# Progress\n- b\n- a\n", []],
    ["loses a line", "# Progress\n- a\n", "# Progress\n- b\n", ["I17"]],
    ["renews the line of a task", ended("1.1", "FAIL (max limit)"), ended("1.1", "PASS"), []],
    ["loses the line of a task to another", ended("1.1", "FAIL (max limit)"), ended("1.2", "PASS"), ["I17"]],
  ])("%s", (_, before, after, broken) => {
    const world = worldOf();
    watchLog(world, before, after);
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("records", () => {
  const seen = (...records: readonly TimedRunRecord[]): string[] => {
    const world = worldOf();
    const { records: watch } = createScenery(world, openPlan(two).plan);
    for (const [index, record] of records.entries()) watch.see(record, memoryOf(...records.slice(0, index + 1)));
    return brokenIn(world);
  };
  const fixed = (fix: string) => answered("1.1#1/insertFix", { kind: "inserted", fix });
  const denials = (...kinds: readonly string[]) => kinds.map((kind) => answered("1.1#1/delegate", { kind }));
  it.each([
    ["in order", [delegated("1.1", 1), answered("1.1#1/delegate", { kind: "replied" }), delegated("1.1", 2)], []],
    ["more than may be", [1, 2, 3, 4].map((number) => delegated(`1.${number}`, 1)), ["I1"]],
    ["with more attempts than may be", [delegated("1.1", 1), delegated("1.1", 2), delegated("1.1", 3)], ["I2"]],
    ["answered twice", [delegated("1.1", 1), answered("1.1#1/delegate", {}), answered("1.1#1/delegate", {})], ["I9"]],
    ["fixed twice while the first fix stands", [fixed("1.2"), fixed("1.2")], ["I9"]],
    ["fixed again since the fix was taken out", [fixed("1.1.1"), fixed("1.1.2")], []],
    ["denied twice", denials("denied", "denied"), []],
    ["denied, and granted later", denials("denied", "replied"), []],
    ["denied behind its answer", denials("replied", "denied"), ["I9"]],
    ["delegated behind its answer", [answered("1.1#1/delegate", {}), delegated("1.1", 1)], ["I9"]],
    ["going back", [delegated("1.1", 2), delegated("1.1", 1)], ["I16"]],
    ["delegated behind its pass", [answered("1.1#1/recordPass", { kind: "recorded" }), delegated("1.1", 2)], ["I16"]],
  ] as const)("%s", (_, records, broken) => {
    expect(seen(...records)).toEqual(broken);
  });
});

describe("work", () => {
  const process = (taskId: string, start = 0): Process =>
    ({ delegation: { taskId, key: `${taskId}#1` }, start }) as unknown as Process;
  it.each([
    ["of another task within the width", [process("1.2")], "executor", []],
    ["of the same task", [process("1.1")], "executor", ["I8"]],
    ["beside that of a start before", [process("1.2", -1)], "executor", ["I8"]],
    ["beside too many", ["1.2", "1.3", "1.4", "1.5", "1.6"].map((id) => process(id)), "executor", ["I8"]],
    ["that verifies beside another", [process("1.2")], "verifier", ["I8"]],
  ] as const)("%s", (_, others, role, broken) => {
    const world = worldOf("- [ ] 1.1 [VERIFY] All\n");
    const { processes } = createScenery(world, openPlan(two).plan);
    const delegation = { taskId: "1.1", key: "1.1#1", role } as unknown as Process["delegation"];
    watchWork(world, { ...processes, alive: () => others }, delegation);
    expect(brokenIn(world)).toEqual(broken);
  });
});

describe("passes", () => {
  const sceneryOf = (text: string) => createScenery(worldOf(text), openPlan(two).plan);
  const accepted = answered("1.1#1/verify", { kind: "accepted" });
  const ofFix = (supersedes?: string): RunRecord => ({
    ...{ type: "intended", key: "1.1#1" },
    fix: { ...fix, ...(supersedes !== undefined && { id: "1.1.2", supersedes }) },
  });
  const passed = answered("1.1#1/recordPass", { kind: "recorded" });

  it("I10: are preceded by a verdict and a Verify that passed", () => {
    const { world, passes, checks } = sceneryOf(two);
    checks.push({ command: "check 1.1", exitCode: 1, at: 1 });
    passes.see(passed);
    expect(world.violations.map(({ what }) => what)).toEqual([
      "1.1#1 has passed without a verdict",
      "1.1#1 has passed, though `check 1.1` has not since its executor ended",
    ]);
  });

  it("I10, I11: are what ticks stand for, of all tasks when the run is complete", () => {
    const { world, passes, checks } = sceneryOf(block("1.1", "Task", "x") + block("1.2", "Task", "x") + block("1.3"));
    checks.push({ command: "check 1.1", exitCode: 0, at: 1 });
    for (const record of [accepted, passed]) passes.see(record);
    passes.end("complete");
    expect(world.violations).toEqual([
      { invariant: "I11", what: "nobody has accepted the ticks of 1.2" },
      { invariant: "I10", what: "the run is complete, though 1.3" },
    ]);
  });

  it("I11: are nobody's for each of two tasks with one id", () => {
    const { world, passes } = sceneryOf(two + block("1.2", "Task", "x"));
    passes.end("gate");
    expect(world.violations).toEqual([{ invariant: "I11", what: "nobody has accepted the ticks of 1.2" }]);
  });

  it("I11: are nobody's for a fix that was closed", () => {
    const { world, passes } = sceneryOf(block("1.1") + block("1.1.1", "[FIX 1.1] Fix", "x"));
    passes.see(made({ type: "closed", fix: "1.1.1", by: "1.1.2" }));
    passes.end("gate");
    expect(world.violations).toEqual([]);
  });

  it("I11, I16: are not there for a fix whose place another has, which is not worked on any more", () => {
    const memory = memoryOf(made(ofFix()), made(ofFix("1.1.1")));
    const closing = (by: string) => made({ type: "closed", fix: "1.1.1", by });
    const seen = (...records: readonly TimedRunRecord[]): string[] => {
      const { world, records: watch } = sceneryOf(two);
      for (const record of records) watch.see(record, memory);
      return brokenIn(world);
    };
    expect(seen(closing("1.1.2"), delegated("1.1.2", 1))).toEqual([]);
    expect(seen(closing("1.1.3"))).toEqual(["I11"]);
    expect(seen(delegated("1.1.1", 2))).toEqual(["I16"]);
  });

  it("I11, I16: are not there for a fix that was left out, which is not worked on", () => {
    const skipped = { type: "skipped", task: "1.1", justification: "no need" } as const;
    const memory = memoryOf(made(ofFix()), made(skipped));
    const seen = (record: TimedRunRecord): string[] => {
      const { world, records: watch } = sceneryOf(two);
      watch.see(record, memory);
      return brokenIn(world);
    };
    expect(seen(made({ type: "closed", fix: "1.1.1", by: "1.1" }))).toEqual([]);
    expect(seen(made({ type: "closed", fix: "1.1.1", by: "1.2" }))).toEqual(["I11"]);
    expect(seen(delegated("1.1.1", 2))).toEqual(["I16"]);
    expect(seen(delegated("1.2", 1))).toEqual([]);
  });

  it("are a person's where a person has ticked", () => {
    const ticked = block("1.1", "Task", "x") + block("1.2");
    const { world, passes } = sceneryOf(ticked);
    passes.byHand(openPlan(two).plan, openPlan(ticked).plan, false);
    passes.end("gate");
    expect(world.violations).toEqual([]);
    passes.byHand(openPlan(ticked).plan, openPlan(two).plan, false);
    passes.end("gate");
    expect(brokenIn(world)).toEqual(["I11"]);
  });

  it("I11: stay accepted while somebody adds an open task with the id of one", () => {
    const ticked = block("1.1", "Task", "x") + block("1.2");
    const { world, passes } = createScenery(worldOf(ticked), openPlan(ticked).plan);
    const [plan, double] = [openPlan(ticked).plan, openPlan(ticked + block("1.1")).plan];
    passes.byHand(plan, double, false);
    passes.byHand(double, plan, false);
    passes.end("gate");
    expect(world.violations).toEqual([]);
  });
});

describe("the state of a run", () => {
  it("I18: is what its records come to when they are read again, to the last field", () => {
    const { world, states } = createScenery(worldOf(), openPlan(two).plan);
    const memory = memoryOf();
    states.begin(2, noSeed);
    const records = [delegated("1.1", 1), answered("1.1#1/delegate", { kind: "replied" }), delegated("1.1", 2)];
    for (const record of records) {
      states.see([record], memory);
      memory.apply(record);
    }
    states.compare(memory);
    expect(world.violations).toEqual([]);
    states.compare(memoryOf(...records, delegated("1.1", 3)));
    expect(world.violations.map(({ invariant, what }) => `${invariant}: ${what}`)).toEqual([
      expect.stringMatching(/^I18: behind delegated 1\.1#2 the state is \{.*"iterations":3.*"iterations":2/),
    ]);
  });
});

describe("the end", () => {
  it("I20, I21: is told honestly, and leaves nobody at work", async () => {
    const { events } = await simulate({ seed: 1, plan: two, policy: {}, rates: calmRates });
    const ended = events.at(-1);
    if (ended?.type !== "run.ended") throw new Error("it has not ended");
    const world = worldOf();
    const { processes } = createScenery(world, openPlan(two).plan);
    watchEnd(world, processes, ended);
    expect(world.violations).toEqual([]);
    const working = { ...processes, alive: () => [{ delegation: { key: "1.1#1" } } as Process] };
    watchEnd(world, working, { ...ended, exitCode: 1, error: "x" });
    expect(brokenIn(world)).toEqual(["I20", "I21"]);
  });

  it("I15: is that of a run which nothing disturbs", async () => {
    const world = worldOf();
    const run = await simulate({ seed: 1, plan: two, rates: calmRates });
    compareRuns(world, run, run);
    expect(world.violations).toEqual([]);
    compareRuns(world, run, { ...run, tasks: "", outcome: "limit" });
    expect(world.violations.map(({ invariant }) => invariant)).toEqual(["I15", "I15"]);
  });

  it("I29: is complete where everybody did what they were told", () => {
    const world = createWorld({ seed: 1 }, { text: two, needs: new Map() }, readPolicy({}), calmRates);
    watchHealth(world, "complete");
    expect(world.violations).toEqual([]);
    watchHealth(world, "gate");
    expect(brokenIn(world)).toEqual(["I29"]);
    for (const wrong of ["lies", "mends", "check hangs", "trouble"]) {
      const wronged = createWorld({ seed: 1 }, { text: two, needs: new Map() }, readPolicy({}), calmRates);
      wronged.count(wrong);
      watchHealth(wronged, "limit");
      expect(wronged.violations).toEqual([]);
    }
  });
});

describe("a wait", () => {
  const never = new AbortController().signal;

  it("is seen when it is longer than anybody was told, and not when it is what is left", async () => {
    const world = worldOf();
    const { clock, see } = watchWaits(world);
    const now = clock.now();
    see(answered("1.1#1/readFailure", { kind: "rate-limit", until: now + 1000 }), now);
    see(answered("1.1#2/readFailure", { kind: "auth", until: null }), now);
    await world.clock.drive(clock.sleepUntil(now + 1000, never));
    expect(brokenIn(world)).toEqual([]);
    world.clock.jump(-5000);
    await world.clock.drive(clock.sleepUntil(now + 1000, never));
    expect(brokenIn(world)).toEqual(["I27"]);
  });

  it("may begin before what was told is recorded, at the same moment", async () => {
    const world = worldOf();
    const { clock, see } = watchWaits(world);
    const now = clock.now();
    const waiting = clock.sleepUntil(now + 1000, never);
    see(answered("1.1#1/readFailure", { kind: "rate-limit", until: now + 1000 }), now);
    await world.clock.drive(waiting);
    expect(world.violations).toEqual([]);
  });
});
