import { describe, expect, it } from "vitest";
import { type Escalation, noEscalation } from "../../src/model/escalation.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import { Policy } from "../../src/model/policy.ts";
import { deliberate } from "../../src/recover/decide.ts";
import { recallFailure } from "../../src/recover/recall-failure.ts";
import { afterAcceptance, afterFailure } from "../../src/recover/track-escalation.ts";
import { evidenceWith, measuredFailure, setOf } from "../support/sample-failure.ts";

const failed: FailureDigest = {
  ...{ kind: "task", error: "no such file", attemptedFix: "looked", status: "stopped", fingerprint: "f" },
  evidence: evidenceWith(["a"]),
};
const signs = { strategy: "looked", findings: [], admission: null, fileState: null, changed: null };
const having = (...failures: (FailureDigest | null)[]): Escalation =>
  failures.reduce((before, failure) => afterFailure(before, "1.3", failure), noEscalation);

const usedUp: SpentByTask = { "1.3": { attempts: 2, retries: 1, fixes: [] } };
const recall = (escalation: Escalation, spent = usedUp) =>
  recallFailure({ current: "1.3", spent, policy: Policy.parse({ maxTaskIterations: 2 }), escalation });

describe("recallFailure", () => {
  it("has all of the last failure that a fix is made of", () => {
    const { kind, error, fingerprint, evidence } = failed;
    expect(recall(having(failed))).toEqual({
      ...{ kind, error, fingerprint, evidence, attemptedFix: "", status: "" },
      unstated: ["attemptedFix", "status"],
    });
    expect(recall(having({ ...failed, signs }))).toMatchObject({ attemptedFix: "looked", unstated: ["status"] });
    expect(recall(having({ ...failed, signs: { ...signs, strategy: null } }))).toMatchObject({ attemptedFix: "" });
  });

  it("has the checks that failed, but not those of an attempt before", () => {
    const measured = measuredFailure(["a", "b"]);
    expect(recall(having(measured))).toMatchObject({ failing: setOf("a", "b"), fingerprint: measured.fingerprint });
    expect(recall(having(measured, failed))).not.toHaveProperty("failing");
  });

  it("is of the last failure where a claim was rejected since", () => {
    expect(recall(having(failed, null))).toMatchObject({ error: "no such file" });
  });

  it.each<[string, Escalation, SpentByTask?]>([
    ["nothing has failed", having(null)],
    ["nothing is known to fail any more", afterAcceptance(having(failed), null)],
    ["what fails is known without its error", { ...having(failed), lastError: null }],
    ["what fails is known without its fingerprint", { ...having(failed), lastFingerprint: null }],
    ["a person is asked", { ...having(failed), asked: true }],
    ["iterations are left", having(failed), { "1.3": { attempts: 1, retries: 0, fixes: [] } }],
    ["its prompt was too long", having(failed), { "1.3": { attempts: 2, retries: 1, fixes: [], tooLong: 1 } }],
  ])("is nothing where %s", (_, escalation, spent) => {
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
    expect(deliberate({ ...context, failure: recallFailure(context) }).decision.kind).toBe(kind);
  });
});
