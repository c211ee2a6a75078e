import { describe, expect, it } from "vitest";
import { unbold } from "../../src/parse/unbold.ts";

describe("unbold", () => {
  it.each([
    ["**Trying:** x", "Trying: x"],
    ["**Trying**: x", "Trying: x"],
    ["**Trying: x**", "Trying: x"],
    ["**Trying: src/**/*.ts**", "Trying: src/**/*.ts"],
    ["**Trying:** **x**", "Trying: **x**"],
    ["**New Approach:**", "New Approach:"],
  ])("reads %j as %j", (line, plain) => {
    expect(unbold(line)).toBe(plain);
  });

  it.each([
    "",
    "Trying: **x**",
    "**Trying** x: y",
    "**Trying: x",
    "****: x",
    "*Trying:* x",
    `**${"x".repeat(41)}:** y`,
  ])("leaves %j as it is", (line) => {
    expect(unbold(line)).toBe(line);
  });
});
