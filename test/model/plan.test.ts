import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextFixNumber, nextTask, type Plan } from "../../src/model/plan.ts";
import { prop } from "../support/prop.ts";

/** A plan of ids; `x` in front ticks one, `<` names the task it repairs, and blanks put it into the task above. */
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

/** What is up, task by task, when each passes; a line of the plan gives the task its tick. */
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
  ])("finds in %j what is up: %j", (lines, next) => {
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
  ])("takes in %j sub-tasks before the task they stand in: %j", (lines, next) => {
    expect(nextTask(plan(...lines))).toEqual(next);
  });

  it("goes through a nested plan from the inside out", () => {
    const lines = ["1", "  1.1", "    1.1.1", "    1.1.2", "  1.2", "  1.2.1<1.2", "1.3<1", "2", "  2.1", "3"];
    expect(order(...lines)).toEqual(["1.1.1", "1.1.2", "1.1", "1.2.1", "1.2", "1.3", "1", "2.1", "2", "3"]);
  });
});

describe("nextTask, for every plan", () => {
  const shape = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.boolean()), { maxLength: 14 });

  prop("takes each open task once, sub-tasks and fix tasks before what they are for", [shape], (lines) => {
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
  ])("counts on in %j after %i", (lines, made, number) => {
    expect(nextFixNumber(plan(...lines), "1.3", made)).toBe(number);
  });
});

describe("nextFixNumber, for every plan", () => {
  const used = fc.uniqueArray(fc.integer({ min: 1, max: 12 }));

  prop(
    "I3 it is free, above those made, and leaves no free number out",
    [used, fc.nat({ max: 12 })],
    (suffixes, made) => {
      const number = nextFixNumber(plan("1.3", ...suffixes.map((n) => `1.3.${n}`)), "1.3", made);
      expect(suffixes).not.toContain(number);
      expect(number).toBeGreaterThan(made);
      for (let n = made + 1; n < number; n += 1) expect(suffixes).toContain(n);
    },
  );
});
