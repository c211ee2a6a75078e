import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { countTasks, nextBatch, nextFixNumber, nextTask, type Plan } from "../../src/model/plan.ts";
import { prop } from "../support/prop.ts";

/** Each line is an id. `x` ticks the task, `<` names the repaired task, and indentation makes a sub-task. */
function plan(...lines: readonly string[]): Plan {
  const above: { indent: number; id: string }[] = [];
  const tasks = lines.map((line, index) => {
    const [id = "", fixOf = null] = line.replace("x ", "").trim().split("<");
    const indent = line.search(/[^ ]/);
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    const parent = above.at(-1)?.id ?? null;
    above.push({ indent, id });
    const place = { line: index + 1, start: 0, end: 0, box: 0 };
    const done = line.trim().startsWith("x ");
    return { id, title: id, markers: [], done, phase: null, fields: {}, fixOf, parent, ...place };
  });
  return { dialect: "checklist", tasks, phases: [], problems: [] };
}

it("S8: counts tasks of the planner, fixes, and tasks for a pull request separately", () => {
  const { tasks } = plan("1.1", "1.1.1<1.1", "5.1", "5.2", "5.2.1<5.2");
  expect(countTasks(tasks)).toEqual({ original: 3, fixes: 2 });
  expect(countTasks(tasks, ["5.2", "5.2.1", "9"])).toEqual({ original: 2, fixes: 2, added: 1 });
});

function order(...lines: readonly string[]): string[] {
  const { tasks } = plan(...lines);
  const left = new Map(tasks.map((task) => [task.id, task]));
  const up: string[] = [];
  for (let next = nextTask({ tasks }); next !== null; next = nextTask({ tasks: [...left.values()] })) {
    up.push(next.current);
    const task = left.get(next.current);
    if (task === undefined || task.done) throw new Error(`${next.current} is not open`);
    left.set(task.id, { ...task, done: true });
  }
  return up;
}

describe("nextTask", () => {
  it.each([
    [[], null],
    [["x 1.1", "x 1.2"], null],
    [["x 1.1", "1.2", "1.3"], { root: "1.2", current: "1.2" }],
    [["1.1", "1.1.1<1.1", "1.2"], { root: "1.1", current: "1.1.1" }],
    [["1.1", "x 1.1.1<1.1", "1.2"], { root: "1.1", current: "1.1" }],
    [["1.1", "1.1.1<1.1", "1.1.1.1<1.1.1", "1.2"], { root: "1.1", current: "1.1.1.1" }],
    [["1.1", "x 1.1.1<1.1", "1.1.1.1<1.1.1", "1.2"], { root: "1.1", current: "1.1.1.1" }],
    [["1.1", "x 1.1.1<1.1", "1.1.2<1.1"], { root: "1.1", current: "1.1.2" }],
    [["1.1", "1.1.1<1.1", "1.1.1.1<1.1.1", "1.1.2<1.1"], { root: "1.1", current: "1.1.1.1" }],
    [["1.1<1.1", "1.2"], { root: "1.1", current: "1.1" }],
    [["1.1<1.1.1", "1.1.1<1.1"], { root: "1.1", current: "1.1.1" }],
    [["1.1", "1.10", "1.10.1<1.10"], { root: "1.1", current: "1.1" }],
    [["1.1", "1.1.1"], { root: "1.1", current: "1.1" }],
    [["x 1.1", "1.1.1<1.1"], { root: "1.1.1", current: "1.1.1" }],
    [["1.1.1<1.1", "1.1"], { root: "1.1", current: "1.1.1" }],
    [["1.1.1<9.9"], { root: "1.1.1", current: "1.1.1" }],
    [["1.6", "1.1.1<1.6"], { root: "1.6", current: "1.6" }],
    [["1.3", "1.3.1", "1.3.1.1<1.3.1"], { root: "1.3", current: "1.3" }],
    [["1.1", "1.1.1.1<1.1.1"], { root: "1.1", current: "1.1" }],
    [["1.1", "1.1.1<1.1", "1.1.2<1.1"], { root: "1.1", current: "1.1.2" }],
    [["1.1", "1.1.1<1.1", "x 1.1.1<1.1"], { root: "1.1", current: "1.1.1" }],
    [["x 1.1.1", "1.1", "1.1.1<1.1"], { root: "1.1", current: "1.1.1" }],
    [["1.1", "1.1.1<1.1", "1.1.1.1<1.1.1", "1.1.10000<1.1"], { root: "1.1", current: "1.1.1.1" }],
  ])("returns for %j: %j", (lines, next) => {
    expect(nextTask(plan(...lines))).toEqual(next);
  });

  it.each([
    [["1", "  1.1", "  1.2", "2"], { root: "1.1", current: "1.1" }],
    [["1", "  x 1.1", "  1.2", "2"], { root: "1.2", current: "1.2" }],
    [["1", "  x 1.1", "  x 1.2", "2"], { root: "1", current: "1" }],
    [["x 1", "  1.1", "2"], { root: "1.1", current: "1.1" }],
    [["1", "  1.1", "  1.1.1<1.1", "  1.2"], { root: "1.1", current: "1.1.1" }],
    [["1", "  x 1.1", "  1.1.1<1.1", "  1.2"], { root: "1.1.1", current: "1.1.1" }],
    [["1", "  1.1.1<1.1", "  1.1"], { root: "1.1", current: "1.1.1" }],
    [["1", "  x 1.1", "1.2<1"], { root: "1", current: "1.2" }],
    [["1", "  1.1", "1.2<1"], { root: "1.1", current: "1.1" }],
    [["1", "  1.1", "    1.1.1", "    1.1.2", "  1.2"], { root: "1.1.1", current: "1.1.1" }],
    [["1", "1.1<1", "  a"], { root: "a", current: "a" }],
    [["1", "  x 1.1", "    1.1.1", "2"], { root: "1.1.1", current: "1.1.1" }],
    [["1", "  1", "2"], { root: "1", current: "1" }],
  ])("returns for %j sub-tasks before their parent task: %j", (lines, next) => {
    expect(nextTask(plan(...lines))).toEqual(next);
  });

  it("goes through a nested plan from the innermost tasks outwards", () => {
    const lines = ["1", "  1.1", "    1.1.1", "    1.1.2", "  1.2", "  1.2.1<1.2", "1.3<1", "2", "  2.1", "3"];
    expect(order(...lines)).toEqual(["1.1.1", "1.1.2", "1.1", "1.2.1", "1.2", "1.3", "1", "2.1", "2", "3"]);
  });
});

describe("nextTask, for every plan", () => {
  const shape = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.boolean()), { maxLength: 14 });

  prop("returns each open task once, sub-tasks and fix tasks before their parents", [shape], (lines) => {
    const written = lines.map(([indent, isFix], index) => {
      const id = `A${index}`;
      return `${"  ".repeat(indent)}${isFix && index > 0 ? `A${index - 1}.1<A${index - 1}` : id}`;
    });
    const { tasks } = plan(...written);
    const up = order(...written);
    expect(up.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
    for (const { id, parent, fixOf } of tasks) {
      for (const other of [parent, fixOf]) {
        if (other !== null && up.includes(other)) expect(up.indexOf(id)).toBeLessThan(up.indexOf(other));
      }
    }
  });
});

describe("nextFixNumber", () => {
  it.each([
    [["1.3"], 0, 1],
    [["1.3", "  1.3.1", "  1.3.2"], 0, 3],
    [["1.3", "1.3.1<1.3"], 1, 2],
    [["1.3", "1.3.1"], 0, 2],
    [["1.3", "1.3.1", "1.3.2", "1.3.4"], 0, 3],
    [["1.3", "1.3.10"], 0, 1],
    [["1.3"], 2, 3],
  ])("continues in %j after %i", (lines, made, number) => {
    expect(nextFixNumber(plan(...lines), "1.3", made)).toBe(number);
  });
});

describe("nextFixNumber, for every plan", () => {
  const used = fc.uniqueArray(fc.integer({ min: 1, max: 12 }));

  prop(
    "I3 it is free, above existing numbers, and skips no free number",
    [used, fc.nat({ max: 12 })],
    (suffixes, made) => {
      const number = nextFixNumber(plan("1.3", ...suffixes.map((n) => `1.3.${n}`)), "1.3", made);
      expect(suffixes).not.toContain(number);
      expect(number).toBeGreaterThan(made);
      for (let n = made + 1; n < number; n += 1) expect(suffixes).toContain(n);
    },
  );
});

const batchOf = (markdown: string, sequential: string[] = []) =>
  nextBatch(readPlan(markdown), new Set(sequential))?.map(({ root, current }) => [root, current]) ?? null;

describe("nextBatch", () => {
  it("returns the open ones of consecutive [P] tasks", () => {
    const plan = "- [x] 1.1 [P] A\n- [ ] 1.2 [P] B\n- [x] 1.3 [P] C\n- [ ] 1.4 [P] D\n- [ ] 1.5 E\n- [ ] 1.6 [P] F\n";
    expect(batchOf(plan)).toEqual([
      ["1.2", "1.2"],
      ["1.4", "1.4"],
    ]);
  });

  it.each([
    ["a single task", "- [ ] 1.1 [P] A\n- [ ] 1.2 B\n"],
    ["a task next to a [VERIFY] task", "- [ ] 1.1 [P] A\n- [ ] 1.2 [VERIFY] [P] B\n"],
    ["a task before another phase", "## Phase 1: X\n\n- [ ] 1.1 [P] A\n\n## Phase 2: Y\n\n- [ ] 2.1 [P] B\n"],
    ["an unmarked task first", "- [ ] 1.1 A\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n"],
    ["no open task", "- [x] 1.1 [P] A\n- [x] 1.2 [P] B\n"],
    ["a task with sub-tasks", "- [ ] 1.1 [P] A\n  - [ ] 1.1.1 Part\n- [ ] 1.2 [P] B\n"],
    [
      "a task before one with done sub-tasks",
      "- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n  - [x] 1.2.1 Part\n- [ ] 1.3 [P] C\n",
    ],
    ["a sub-task of a done task", "- [x] 1 A\n  - [ ] 1.1 [P] B\n- [ ] 2 [P] C\n"],
    ["a fix of a done task", "- [x] 1.1 A\n- [ ] 1.1.1 [FIX 1.1] [P] Fix\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n"],
  ])("is null for %s", (_, plan) => {
    expect(batchOf(plan)).toBeNull();
  });

  it("skips fix tasks, and continues at the deepest open one of each member", () => {
    const plan = [
      "- [ ] 1.1 [P] A",
      "- [x] 1.1.1 [FIX 1.1] Fix",
      "- [ ] 1.2 [P] B",
      "- [ ] 1.2.1 [FIX 1.2] Fix",
      "- [ ] 1.2.1.1 [FIX 1.2.1] Fix",
      "- [ ] 1.20 [P] C",
      "",
    ].join("\n");
    expect(batchOf(plan)).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2.1.1"],
      ["1.20", "1.20"],
    ]);
  });

  it("recognizes a planned task whose id looks like that of a fix", () => {
    expect(batchOf("- [ ] 1.1.1 [P] A\n- [ ] 1.1 [P] B\n")).toEqual([
      ["1.1.1", "1.1.1"],
      ["1.1", "1.1"],
    ]);
  });

  it("enters no tree of another task whose id looks like that of a fix", () => {
    const plan = "- [ ] 1.1.1a [P] A\n- [ ] 1.1.1a.1 [FIX 1.1.1a] Fix\n- [ ] 1.1 [P] B\n- [ ] 1.1.1 [FIX 1.1] Fix\n";
    expect(batchOf(plan)).toEqual([
      ["1.1.1a", "1.1.1a.1"],
      ["1.1", "1.1.1"],
    ]);
  });

  it("excludes tasks that must run alone", () => {
    const plan = "- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n- [ ] 1.3 [P] C\n";
    expect(batchOf(plan, ["1.1"])).toBeNull();
    expect(batchOf(plan, ["1.3"])).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2"],
    ]);
  });

  it("also batches sub-tasks of one task", () => {
    const plan = "- [ ] 1 A\n  - [ ] 1.1 [P] B\n  - [ ] 1.2 [P] C\n- [ ] 2 D\n";
    expect(batchOf(plan)).toEqual([
      ["1.1", "1.1"],
      ["1.2", "1.2"],
    ]);
  });
});
