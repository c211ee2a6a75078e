import { describe, expect, it } from "vitest";
import { roleOf } from "../../src/model/task.ts";
import { task } from "../support/sample-plan.ts";

describe("roleOf", () => {
  it.each([
    [[], "executor"],
    [["P", "US1"], "executor"],
    [["FIX 1.4"], "executor"],
    [["VERIFY"], "verifier"],
    [["P", "VERIFY"], "verifier"],
  ])("gives a task marked %j to the %s", (markers, role) => {
    expect(roleOf(task("1.4", { markers }))).toBe(role);
  });
});
