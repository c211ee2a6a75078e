import { describe, expect, it } from "vitest";
import { candidatesFor } from "../../src/effects/executor-chain.ts";
import type { Role } from "../../src/model/role.ts";
import type { Rung } from "../../src/model/rung.ts";
import type { Executor, Executors } from "../../src/ports/executor.ts";

const named = (name: string): Executor => ({ [name]: async () => name })[name] as Executor;
const [weak, spare, strong, strongest, judge, qa] = ["weak", "spare", "strong", "strongest", "judge", "qa"].map(
  named,
) as [Executor, Executor, Executor, Executor, Executor, Executor];
const rungs = { fix: strong, pivot: [strongest, strong] } as const;
const told = (executors: Executors, role: Role, rung?: Rung): string[] =>
  candidatesFor(executors, role, rung).map(({ number, execute }) => `${number} ${execute.name}`);

describe("candidatesFor", () => {
  const executors: Executors = { executor: [weak, spare], rungs, reviewer: judge };

  it.each([
    [undefined, ["0 weak", "1 spare"]],
    ["retry", ["0 weak", "1 spare"]],
    ["fix", ["2 strong"]],
    ["repair", ["2 strong"]],
    ["pivot", ["3 strongest", "4 strong"]],
    ["research", ["3 strongest", "4 strong"]],
    ["checkpoint", ["3 strongest", "4 strong"]],
  ] as const)("has the attempts of rung %s done by those of the rung, or of the nearest before it", (rung, all) => {
    expect(told(executors, "executor", rung)).toEqual(all);
    expect(told(executors, "verifier", rung)).toEqual(all);
  });

  it("leaves the other roles to those who play them", () => {
    expect(told({ ...executors, verifier: qa }, "verifier", "pivot")).toEqual(["0 qa"]);
    expect(told(executors, "reviewer", "pivot")).toEqual(["0 judge"]);
    expect(told(executors, "operator", "pivot")).toEqual(["0 weak", "1 spare"]);
    expect(told({ executor: weak }, "reviewer")).toEqual([]);
    expect(told({ executor: weak }, "executor", "pivot")).toEqual(["0 weak"]);
  });
});
