import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FailureDigest } from "../../src/model/failure.ts";
import type { MadeFor } from "../../src/model/fix-task.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import { fixFor } from "../../src/recover/fix-for.ts";
import { prop } from "../support/prop.ts";
import { countOf, measuredFailure, plainFailure, setOf } from "../support/sample-failure.ts";

const spent = (madeFor?: MadeFor): SpentByTask => ({
  "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"], ...(madeFor !== undefined && { madeFor }) },
  "1.3.1.1": { attempts: 1, retries: 0, fixes: [] },
});
const placeOf = (failure: FailureDigest | null, madeFor?: MadeFor, current = "1.3.1") =>
  fixFor({ root: "1.3", current, spent: spent(madeFor), failure });
const beside = { task: "1.3", supersedes: "1.3.1" };
const below = { task: "1.3.1", supersedes: null };
const made = { fingerprint: "#a", failing: setOf("a", "b") };

describe("fixFor", () => {
  it("is the planned task itself that failed", () => {
    expect(placeOf(measuredFailure(["a"]), made, "1.3")).toEqual({ task: "1.3", supersedes: null });
    expect(fixFor({ root: "9", current: "9", spent: {}, failure: null })).toEqual({ task: "9", supersedes: null });
  });

  it.each([
    ["the same", ["a", "b"]],
    ["a part of it", ["b"]],
  ])("takes the place of a fix that failed with %s as it was made for", (_, ids) => {
    expect(placeOf(measuredFailure(ids), made)).toEqual(beside);
  });

  it.each([
    ["something else", ["c"]],
    ["more", ["a", "b", "c"]],
    ["a part of it and more", ["b", "c"]],
  ])("stands below a fix that failed with %s", (_, ids) => {
    expect(placeOf(measuredFailure(ids), made)).toEqual(below);
  });

  it("goes by numbers where names are not known", () => {
    const counted = (count: number) =>
      placeOf(measuredFailure(["a"], { failing: countOf(count) }), {
        ...{ fingerprint: "0", failing: countOf(4) },
      });
    expect([3, 4, 5].map((count) => counted(count).task)).toEqual(["1.3", "1.3", "1.3.1"]);
  });

  it("goes by the error where no set is known on both sides", () => {
    const error = plainFailure("boom");
    const same = { fingerprint: error.fingerprint };
    expect(placeOf(error, same)).toEqual(beside);
    expect(placeOf(error, { ...same, failing: setOf("a") })).toEqual(beside);
    expect(placeOf(plainFailure("other"), same)).toEqual(below);
    expect(placeOf(measuredFailure(["a"], { fingerprint: error.fingerprint }), same)).toEqual(beside);
  });

  it("stands below a fix of which nobody knows what it was made for, and one whose claim was not in order", () => {
    expect(placeOf(measuredFailure(["a"]))).toEqual(below);
    expect(placeOf(null, made)).toEqual(below);
  });

  it("takes the place of a fix among those of the fix that it was made for", () => {
    const deep: SpentByTask = { ...spent(), "1.3.1.1": { attempts: 1, retries: 0, fixes: [], madeFor: made } };
    expect(fixFor({ root: "1.3", current: "1.3.1.1", spent: deep, failure: measuredFailure(["a"]) })).toEqual({
      ...{ task: "1.3.1", supersedes: "1.3.1.1" },
    });
  });

  prop(
    "a fix takes the place of another just when that has brought nothing",
    [fc.subarray(["a", "b", "c", "d"], { minLength: 1 }), fc.subarray(["a", "b", "c", "d"], { minLength: 1 })],
    (before, after) => {
      const madeFor = { fingerprint: "0", failing: setOf(...before) };
      const isOld = after.every((id) => before.includes(id));
      expect(placeOf(measuredFailure(after), madeFor)).toEqual(isOld ? beside : below);
    },
  );
});
