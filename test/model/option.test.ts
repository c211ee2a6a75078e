import { expect, it } from "vitest";
import * as z from "zod";
import { option, switchOf } from "../../src/model/option.ts";

it("an option has a flag only if it is declared", () => {
  const flagged = option(z.int(), "limit", "Most there may be", {
    group: "Limits",
    flags: "--most <n>",
    summary: "most",
  });
  expect(switchOf(flagged)).toBe("--most");
  expect(switchOf(option(z.int(), "limit", "Most there may be"))).toBe("");
  expect(switchOf(z.int())).toBe("");
});
