import { describe, expect, it } from "vitest";
import { withoutMachineWords } from "../../../src/markdown/text/plain-line.ts";

describe("withoutMachineWords", () => {
  it.each([
    ["say TASK_COMPLETE", "say TASK COMPLETE"],
    ["tick [x] and [P]", "tick (x) and (P)"],
    ["[FIX 1.1] and [FIX 1.2", "(FIX 1.1) and (FIX 1.2"],
    ["a <!-- b", "a <! -- b"],
    ["a[0] [link](b)", "a[0] [link](b)"],
  ])("writes %j as %j", (text, expected) => {
    expect(withoutMachineWords(text)).toBe(expected);
  });
});
