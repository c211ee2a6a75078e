import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { newRun } from "../../src/run/new-run.ts";
import { keepPlan } from "../../src/runtime/keep-plan.ts";

const begun = "# Tasks\n\n- [ ] 1.1 One\n";

describe("keepPlan", () => {
  it("keeps the plan behind every 64 turns, when what was edited is recorded", async () => {
    const kept: string[] = [];
    const state = newRun();
    const memory = { state, isAccepted: (id: string) => id === "3", batch: [] as string[], inFlight: () => flying };
    let flying: ReadonlySet<string> = new Set(["now"]);
    const keeper = keepPlan({ keep: (text) => kept.push(text) }, memory, { known: async () => openPlan(begun) });
    const pass = (count: number): void => {
      state.turns += count;
      keeper.whenDue();
    };
    pass(63);
    memory.batch = ["3", "next"];
    pass(1);
    memory.batch = [];
    flying = new Set(["now", "beside"]);
    keeper.whenDue();
    await Promise.resolve();
    expect(kept).toEqual([]);
    flying = new Set(["now"]);
    keeper.whenDue();
    keeper.whenDue();
    await Promise.resolve();
    expect(kept).toEqual([begun]);
    // With a snapshot it is kept at any time, and not again soon.
    pass(40);
    await keeper.now();
    pass(63);
    await Promise.resolve();
    expect(kept).toEqual([begun, begun]);
    pass(1);
    await Promise.resolve();
    expect(kept).toEqual([begun, begun, begun]);
  });

  it("keeps a long plan less often: each turn pays for 8 KiB of it at most", async () => {
    const kept: number[] = [];
    const state = newRun();
    const memory = { state, isAccepted: () => false, batch: [], inFlight: () => new Set<string>() };
    const long = openPlan(begun + "\nNotes.\n".repeat(200_000));
    const keeper = keepPlan({ keep: () => kept.push(state.turns) }, memory, { known: async () => long });
    for (; state.turns < 1000; state.turns += 1) {
      keeper.whenDue();
      await Promise.resolve();
    }
    // Its length is known from the first time on.
    expect(kept).toEqual([64, 64 + 196, 64 + 2 * 196, 64 + 3 * 196, 64 + 4 * 196]);
  });

  it("lets the run go on where it cannot be kept", async () => {
    const state = newRun();
    const memory = { state, isAccepted: () => false, batch: [], inFlight: () => new Set<string>() };
    const refused = (): never => {
      throw new Error("no space");
    };
    const keeper = keepPlan({ keep: refused }, memory, { known: async () => openPlan(begun) });
    state.turns += 64;
    expect(keeper.whenDue).not.toThrow();
    await expect(keeper.now()).rejects.toThrow("no space");
    await new Promise((resolve) => setImmediate(resolve));
  });
});
