import { describe, expect, it } from "vitest";
import { type Escalation, noEscalation } from "../../src/model/escalation.ts";
import type { Failure, FailureDigest } from "../../src/model/failure.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import { Policy } from "../../src/model/policy.ts";
import { fingerprint } from "../../src/model/text.ts";
import { deliberate } from "../../src/recover/decide.ts";
import { digestAttempt, digestFailure, recallFailure } from "../../src/recover/digest-failure.ts";
import { afterAcceptance, afterFailure, afterRejection } from "../../src/recover/escalation.ts";
import { countOf, evidenceWith, measuredFailure, setOf } from "../support/sample-failure.ts";

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

  it("keeps the failures and their locations", () => {
    const [failing, evidence] = [setOf("a", "b"), evidenceWith(["a", "b"])];
    expect(digestFailure({ ...failure, failing, evidence })).toMatchObject({ failing, evidence });
  });

  it("identifies a failure by its set if that is known, whatever its message", () => {
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

describe("digestAttempt", () => {
  it("treats missing facts as unknown", () => {
    expect(digestAttempt({ error: "boom at a.ts:3" })).toEqual({
      kind: "task",
      error: "boom at a.ts:3",
      attemptedFix: "",
      status: "",
      fingerprint: fingerprint("boom at a.ts:9"),
      signs: { strategy: null, findings: [], admission: null, fileState: null, changed: null },
    });
  });

  it("keeps the given facts", () => {
    const signs = { strategy: "refs", findings: ["x"], admission: "i'm not sure", fileState: "s", changed: false };
    expect(digestAttempt({ error: "e", fingerprint: "f", ...signs })).toMatchObject({ fingerprint: "f", signs });
  });

  it("truncates every text to 200 code points", () => {
    const long = "😀".repeat(300);
    const kept = "😀".repeat(200);
    const digest = digestAttempt({
      error: long,
      fingerprint: long,
      strategy: long,
      findings: [long],
      admission: long,
      fileState: long,
    });
    expect(digest).toMatchObject({
      error: kept,
      fingerprint: kept,
      signs: { strategy: kept, findings: [kept], admission: kept, fileState: kept },
    });
  });
});

const failed: FailureDigest = {
  ...{ kind: "task", error: "no such file", attemptedFix: "looked", status: "stopped", fingerprint: "f" },
  evidence: evidenceWith(["a"]),
};
const signs = { strategy: "looked", findings: [], admission: null, fileState: null, changed: null };
const having = (...failures: (FailureDigest | null)[]): Escalation =>
  failures.reduce<Escalation>(
    (before, failure) =>
      failure === null ? afterRejection(before, "no signal") : afterFailure(before, "1.3", failure),
    noEscalation,
  );

const usedUp: SpentByTask = { "1.3": { attempts: 2, retries: 1, fixes: [] } };
const recall = (escalation: Escalation, spent = usedUp) =>
  recallFailure({ current: "1.3", spent, policy: Policy.parse({ maxTaskIterations: 2 }), escalation });

describe("recallFailure", () => {
  it("returns everything of the last failure that a fix task needs", () => {
    const { kind, error, fingerprint, evidence } = failed;
    expect(recall(having(failed))).toEqual({
      ...{ kind, error, fingerprint, evidence, attemptedFix: "", status: "" },
      unstated: ["attemptedFix", "status"],
    });
    expect(recall(having({ ...failed, signs }))).toMatchObject({ attemptedFix: "looked", unstated: ["status"] });
    expect(recall(having({ ...failed, signs: { ...signs, strategy: null } }))).toMatchObject({ attemptedFix: "" });
  });

  it("returns the failed checks, but none of an earlier attempt", () => {
    const measured = measuredFailure(["a", "b"]);
    expect(recall(having(measured))).toMatchObject({ failing: setOf("a", "b"), fingerprint: measured.fingerprint });
    expect(recall(having(measured, failed))).not.toHaveProperty("failing");
  });

  it("returns the last failure if a claim was rejected since", () => {
    expect(recall(having(failed, null))).toMatchObject({ error: "no such file" });
  });

  it.each<[string, Escalation, SpentByTask?]>([
    ["nothing has failed", having(null)],
    ["nothing is known to fail any more", afterAcceptance(having(failed), null)],
    ["the failed check is known without its error", { ...having(failed), lastError: null }],
    ["the failed check is known without its fingerprint", { ...having(failed), lastFingerprint: null }],
    ["a person is asked", { ...having(failed), asked: true }],
    ["iterations are left", having(failed), { "1.3": { attempts: 1, retries: 0, fixes: [] } }],
    ["its prompt was too long", having(failed), { "1.3": { attempts: 2, retries: 1, fixes: [], tooLong: 1 } }],
  ])("returns null if %s", (_, escalation, spent) => {
    expect(recall(escalation, spent)).toBeNull();
  });

  it.each([
    [["fix"], "fix"],
    [["repair"], "repair"],
    [["fix", "repair", "pivot", "research", "checkpoint"], "fix"],
    [["retry"], "exhausted"],
  ] as const)("lets a ladder %j begin with %s", (recovery, kind) => {
    const policy = Policy.parse({ recovery, maxTaskIterations: 2 });
    const context = { root: "1.3", current: "1.3", spent: usedUp, policy, escalation: having(failed), remedy: null };
    expect(deliberate({ ...context, rejection: null, failure: recallFailure(context) }).decision.kind).toBe(kind);
  });
});
