import { describe, expect, it } from "vitest";
import { roleOf, type Task } from "../../src/model/task.ts";

const task: Task = {
  id: "1.4",
  title: "Quality checkpoint",
  markers: [],
  done: false,
  phase: null,
  fields: {},
  fixOf: null,
  parent: null,
  line: 1,
  start: 0,
  end: 0,
  box: 0,
};

describe("roleOf", () => {
  it.each([
    [[], "executor"],
    [["P", "US1"], "executor"],
    [["FIX 1.4"], "executor"],
    [["VERIFY"], "verifier"],
    [["P", "VERIFY"], "verifier"],
  ])("gives a task marked %j to the %s", (markers, role) => {
    expect(roleOf({ ...task, markers })).toBe(role);
  });
});
