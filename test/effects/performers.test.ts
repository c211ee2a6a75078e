import { describe, expect, it } from "vitest";
import { type Performers, performEffect } from "../../src/effects/effects.ts";
import type { RunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor, stillClock } from "../../src/testing/scripted-ports.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const mergeLogs = {
  name: "mergeProgress",
  key: "1/mergeProgress",
  input: { key: "1/mergeProgress", logs: [], commit: false },
} as const;

describe("createEffects", () => {
  it.each([
    [undefined, "executors, documents, shell, clock"],
    [{ clock: {}, shell: {}, executors: {} }, "documents"],
  ])("refuses %j, which lacks ports", (ports, missing) => {
    expect(() => performing(ports as never)).toThrow(
      expect.objectContaining({
        code: "port-missing",
        message: `Cannot make effects without the ports ${missing}, expected executors, documents, shell, clock`,
        hint: "docs/orchestrator.md lists every port, with ready implementations",
      }),
    );
  });
});

describe("effects without a given memory", () => {
  it("create one, which counts the time since their creation", async () => {
    const clock = stillClock(5000);
    const whole = withMemory({ ...memoryPorts(memoryStore("- [ ] 1.1 First\n"), scriptedExecutor()), clock });
    await clock.sleepUntil(7000, new AbortController().signal);
    expect((whole.attempts as RunMemory).ledger.elapsedMs).toBe(2000);
  });
});

describe("performEffect", () => {
  it("calls the function of the effect's name with its input and the effect", async () => {
    const seen: unknown[] = [];
    const performers: Partial<Performers> = {
      mergeProgress: (input, { key }) => {
        seen.push(input.logs, key);
        return { kind: "merged" };
      },
    };
    expect(await performEffect(performers, mergeLogs as never)).toEqual({ kind: "merged" });
    expect(seen).toEqual([[], "1/mergeProgress"]);
  });

  it("refuses an effect without a function", async () => {
    await expect(performEffect({}, mergeLogs as never)).rejects.toMatchObject({
      code: "effect-unperformed",
      message: "Cannot perform the effect `mergeProgress`, expected a function of that name",
      hint: "docs/xstate.md lists every effect with its answers",
    });
  });
});
