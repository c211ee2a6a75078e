import { describe, expect, it } from "vitest";
import {
  addsFailures,
  beforeOf,
  judgeGreen,
  knownRun,
  notThere,
  unknownBefore,
  without,
} from "../../src/evidence/judge-runs.ts";
import type { Before, KnownRun } from "../../src/model/check-run.ts";
import { type FailedCheck, nameOfCheck, type OutputDigest } from "../../src/model/failure-set.ts";

const check = (id: string, file: string | null = `test/${id}.test.js`): FailedCheck => ({
  ...{ tool: "node:test", id, file, line: 1, message: "no" },
});
const digestOf = (checks: readonly FailedCheck[], more: Partial<OutputDigest> = {}): OutputDigest => ({
  ...{ source: "tools", failures: [...checks], failed: checks.length, ran: 9, head: "", tail: "", ...more },
});
const run = (checks: readonly FailedCheck[] | null, more: Partial<OutputDigest> = {}): KnownRun =>
  knownRun({
    ...{ command: "npm test", name: "1.1#1/verify" },
    result: { exitCode: checks === null ? 0 : 1, stdout: "", stderr: "", durationMs: 5, timedOut: false },
    digest: checks && digestOf(checks, more),
  });
const red = (...checks: readonly FailedCheck[]): Before => beforeOf("npm test", run(checks));
const green = beforeOf("npm test", run(null));
const judge = (part: Partial<Parameters<typeof judgeGreen>[0]>) =>
  judgeGreen({ before: red(check("a")), checks: false, unchanged: false, made: [], ...part });
const unproven = (reason: string) => ({ kind: "unproven", reason });

describe("a green Verify", () => {
  it("proves the work if it was red before", () => {
    expect(judge({})).toEqual({ kind: "proven" });
    expect(judge({ before: notThere("npm test") })).toEqual({ kind: "proven" });
    expect(judge({ unchanged: null, made: null })).toEqual({ kind: "proven" });
  });

  it("proves nothing if it was green before, or was not run", () => {
    expect(judge({ before: green })).toEqual(unproven("green before the work"));
    expect(judge({ before: null })).toEqual(unproven("no result from before the work"));
    const long = unknownBefore("npm test", "its Verify takes too long");
    expect(judge({ before: long })).toEqual(unproven("no result from before the work (its Verify takes too long)"));
  });

  it("proves nothing if its output reports failed checks, unless the command passes on a failure", () => {
    expect(judge({ failed: 2 })).toEqual(unproven("the output reports 2 failed checks"));
    expect(judge({ failed: 1, before: null })).toEqual(unproven("the output reports 1 failed check"));
    expect(judge({ failed: 1, before: { ...red(check("a")), command: "! npm test" } })).toEqual({ kind: "proven" });
  });

  it("proves nothing if the checks that failed before may be gone, though the task may remove them", () => {
    const ranBefore = (ran: number | null, set: number | null = null): Before => {
      const { failing, ...rest } = red(check("a"), check("b"));
      return { ...rest, failing: failing && { ...failing, ran: set }, counts: { ran, skipped: null } };
    };
    expect(judge({ before: ranBefore(5), ran: 3 })).toEqual(unproven("fewer checks ran than before (now 3)"));
    expect(judge({ before: ranBefore(null, 5), ran: 2 })).toEqual(unproven("fewer checks ran than before (now 2)"));
    for (const ran of [4, 5, 6, null]) expect(judge({ before: ranBefore(5), ran })).toEqual({ kind: "proven" });
    expect(judge({ before: ranBefore(null), ran: 1 })).toEqual({ kind: "proven" });
  });

  it("proves nothing by a run without a check, before the work and after it", () => {
    const counts = (ran: number | null) => ({ ran, skipped: null });
    const first = (ran: number | null) => beforeOf("npm test", { ...run(null), counts: counts(ran) });
    expect([first(0).red, first(null).red, first(1).red]).toEqual([true, false, false]);
    expect(judge({ before: first(0) })).toEqual({ kind: "proven" });
    expect(judge({ ran: 0 })).toEqual(unproven("no check ran"));
    expect(judge({ before: first(0), ran: 0 })).toEqual(unproven("no check ran"));
    expect(judge({ ran: 9 })).toEqual({ kind: "proven" });
  });

  it("is checked, not proven, for a task that only checks and was green before", () => {
    expect(judge({ before: green, checks: true })).toEqual({ kind: "checked" });
    expect(judge({ before: null, checks: true })).toEqual({ kind: "checked" });
    expect(judge({ checks: true })).toEqual({ kind: "proven" });
  });

  it("proves nothing without a change", () => {
    expect(judge({ unchanged: true })).toEqual(unproven("turned green without a change"));
  });

  it.each<[string, Partial<Parameters<typeof judgeGreen>[0]>, boolean]>([
    ["all checks are in files that the task has made", { made: ["test/a.test.js"] }, true],
    ["a check is in an existing file", { before: red(check("a"), check("b")), made: ["test/a.test.js"] }, false],
    [
      "the file of a check is not known",
      { before: red(check("a"), check("b", null)), made: ["test/a.test.js"] },
      false,
    ],
    ["a tool reports the whole path", { before: red(check("a", "/w/test/a.test.js")), made: ["test/a.test.js"] }, true],
    ["a [RED] task has made the file", { made: ["test/a.test.js"], given: ["test/a.test.js"] }, false],
    [
      "the command names the file",
      { before: { ...red(check("a")), command: "node test/a.test.js" }, made: ["test/a.test.js"] },
      false,
    ],
    [
      "not all failed checks have names",
      { before: beforeOf("npm test", run([check("a")], { failed: 2 })), made: ["test/a.test.js"] },
      false,
    ],
  ])("proves nothing by checks that the task wrote, or counts: %s", (_name, part, isOwn) => {
    expect(judge(part)).toEqual(isOwn ? unproven("the task wrote its own checks") : { kind: "proven" });
  });

  it("proves nothing by flaky checks", () => {
    const names = new Set([nameOfCheck(check("a"))]);
    expect(judge({ flaky: names })).toEqual(unproven("its checks are flaky"));
    expect(judge({ flaky: names, before: red(check("a"), check("b")) })).toEqual({ kind: "proven" });
    expect(judge({ flaky: names, before: notThere("npm test") })).toEqual({ kind: "proven" });
  });
});

describe("a stored run", () => {
  it("has the names of the failures, if a tool reports them", () => {
    expect(run([check("a")])).toMatchObject({
      ...{ passed: false, tree: null, counts: null, durationMs: 5 },
      reds: [{ name: nameOfCheck(check("a")), file: "test/a.test.js" }],
    });
    expect(run([check("a")], { source: "last-line" }).reds).toEqual([]);
    expect(run(null)).toMatchObject({ passed: true, failing: null, reds: [] });
  });
});

describe("a red run of a [RED] task", () => {
  const ended = (...checks: readonly FailedCheck[]) => ({ exitCode: 1, timedOut: false, digest: digestOf(checks) });
  const now = (...checks: readonly FailedCheck[]) => run(checks).reds;

  it("is the expected one if a new check fails, and none is gone", () => {
    const [a, b] = [check("a"), check("b")];
    expect(addsFailures(green, ended(a), now(a))).toBe(true);
    expect(addsFailures(red(a), ended(a, b), now(a, b))).toBe(true);
    expect(addsFailures(red(a), ended(a), now(a))).toBe(false);
    expect(addsFailures(red(a), ended(b, check("c")), now(b, check("c")))).toBe(false);
    expect(addsFailures(null, ended(a), now(a))).toBe(false);
    expect(addsFailures(unknownBefore("npm test", "why"), ended(a), now(a))).toBe(false);
    expect(addsFailures(green, { exitCode: 1, timedOut: false, digest: null }, [])).toBe(false);
  });

  it("is not the expected one if fewer checks ran than before", () => {
    const [a, b] = [check("a"), check("b")];
    const fewer = { exitCode: 1, timedOut: false, digest: digestOf([a, b], { ran: 3 }) };
    expect(addsFailures(red(a), fewer, now(a, b))).toBe(false);
    const unknown = { exitCode: 1, timedOut: false, digest: digestOf([a, b], { ran: null }) };
    expect(addsFailures(red(a), unknown, now(a, b))).toBe(true);
  });
});

describe("an earlier result of a command, without ignored checks", () => {
  it("is green if nothing else failed", () => {
    const [a, b] = [check("a"), check("b")];
    const names = new Set([nameOfCheck(a)]);
    expect(without(red(a), names)).toMatchObject({ red: false, reds: [] });
    expect(without(red(a, b), names)).toMatchObject({ red: true, reds: [{ name: nameOfCheck(b) }] });
    expect(without(red(b), names)).toEqual(red(b));
    expect(without(green, names)).toEqual(green);
    expect(without(null, names)).toBeNull();
    expect(without(red(a), new Set())).toEqual(red(a));
  });
});
