import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { type Performers, performEffect } from "../../src/effects/performers.ts";

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
    expect(() => createEffects(ports as never)).toThrow(
      expect.objectContaining({ code: "port-missing", message: expect.stringContaining(`the ports ${missing},`) }),
    );
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

  it("refuses an effect that there is no function for", async () => {
    await expect(performEffect({}, mergeLogs as never)).rejects.toMatchObject({ code: "effect-unperformed" });
  });
});
