import { describe, expect, it } from "vitest";
import { Directive, detailOf } from "../../src/model/directive.ts";

describe("Directive", () => {
  it.each([
    { strategy: "retry", adjustment: "use npm ci" },
    { strategy: "decompose", parts: ["a", "b"] },
    { strategy: "decompose", parts: ["a", "b", "c"] },
    { strategy: "prune", justification: "out of scope" },
    { strategy: "escalate", tried: "all", decision: "" },
  ])("accepts %j", (directive) => {
    expect(Directive.parse(directive)).toEqual(directive);
  });

  it.each([
    { strategy: "decompose", parts: ["a"] },
    { strategy: "decompose", parts: ["a", "b", "c", "d"] },
    { strategy: "retry" },
    { strategy: "prune", adjustment: "x" },
    { strategy: "give up" },
  ])("refuses %j", (directive) => {
    expect(Directive.safeParse(directive).success).toBe(false);
  });
});

describe("detailOf", () => {
  it.each<[Directive, string]>([
    [{ strategy: "retry", adjustment: "use npm ci" }, "use npm ci"],
    [{ strategy: "decompose", parts: ["a", "b", "c"] }, "a | b | c"],
    [{ strategy: "prune", justification: "out of scope" }, "out of scope"],
    [{ strategy: "escalate", tried: "two retries", decision: "which library" }, "two retries | which library"],
    [{ strategy: "escalate", tried: "two retries", decision: "" }, "two retries"],
    [{ strategy: "escalate", tried: "", decision: "" }, ""],
  ])("renders %j in one line", (directive, line) => {
    expect(detailOf(directive)).toBe(line);
  });
});
