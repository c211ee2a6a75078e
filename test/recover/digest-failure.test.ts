import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/model/failure.ts";
import { fingerprint } from "../../src/model/fingerprint.ts";
import { digestFailure } from "../../src/recover/digest-failure.ts";
import { countOf, evidenceWith, setOf } from "../support/sample-failure.ts";

const error = "😀".repeat(600);
const failure: Failure = {
  taskId: "1.3",
  failed: true,
  kind: "timeout",
  error,
  attemptedFix: "f".repeat(600),
  status: "Blocked",
  rawOutput: "output",
  unstated: [],
};

describe("digestFailure", () => {
  it("keeps 500 characters of each text, and no output", () => {
    const digest = {
      kind: "timeout",
      error: "😀".repeat(500),
      attemptedFix: "f".repeat(500),
      status: "Blocked",
      fingerprint: fingerprint(error),
    };
    expect(digestFailure(failure)).toStrictEqual(digest);
    expect(digestFailure({ ...failure, until: 5 })).toStrictEqual({ ...digest, until: 5 });
    const unstated = ["status"] as const;
    expect(digestFailure({ ...failure, unstated })).toStrictEqual({ ...digest, unstated });
  });

  it("keeps what failed, and what there is to look at", () => {
    const [failing, evidence] = [setOf("a", "b"), evidenceWith(["a", "b"])];
    expect(digestFailure({ ...failure, failing, evidence })).toMatchObject({ failing, evidence });
  });

  it("names a failure by its set where that is known, whatever its words", () => {
    const named = (failing: Failure["failing"], words = "x") =>
      digestFailure({ ...failure, error: words, ...(failing !== undefined && { failing }) }).fingerprint;
    expect(named(setOf("a", "b"), "one")).toBe(named(setOf("b", "a"), "two"));
    expect(named(setOf("a"))).toMatch(/^[0-9a-f]{16}$/);
    const names = [setOf("a"), setOf("b"), setOf("a", "b"), countOf(1), countOf(2), countOf(1, { stage: "tsc" })];
    expect(new Set(names.map((set) => named(set))).size).toBe(names.length);
    expect(named(countOf(2, { ran: 5 }))).toBe(named(countOf(2, { ran: 6 })));
    expect(named(undefined, "one")).toBe(fingerprint("one"));
  });
});
