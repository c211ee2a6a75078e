import { describe, expect, it } from "vitest";
import type { Judgement } from "../../src/model/evidence.ts";
import { renderVerdict } from "../../src/wording/render-verdict.ts";
import { gitEvidence } from "../support/sample-git.ts";

type Evidence = Judgement["evidence"];

const judged = (part: Partial<Judgement>, evidence: Partial<Evidence> = {}): Judgement => ({
  kind: "failed",
  layers: [
    { layer: "signal", kind: "failed", reason: "no completion signal (ended by timeout)" },
    { layer: "contradiction", kind: "accepted" },
  ],
  ...part,
  evidence: {
    signal: null,
    contradiction: null,
    exitCode: 0,
    ended: "exit",
    ticked: { set: [], cleared: [] },
    git: null,
    undeclared: [],
    verify: null,
    reality: null,
    ...evidence,
  },
});

describe("tellVerdict", () => {
  it("is empty for an attempt that was accepted or never judged", () => {
    expect(renderVerdict({ refusal: null, judgement: null, review: null })).toBeNull();
    expect(renderVerdict({ refusal: null, judgement: judged({ kind: "accepted" }), review: null })).toBeNull();
  });

  it("gives the reasons of all layers that did not accept", () => {
    const layers: Judgement["layers"] = [
      { layer: "contradiction", kind: "rejected", reason: "one" },
      { layer: "checkmarks", kind: "accepted", note: "n" },
      { layer: "commit", kind: "rejected", reason: "two" },
      { layer: "verify", kind: "undecided" },
    ];
    expect(renderVerdict({ refusal: null, judgement: judged({ kind: "rejected", layers }), review: null })).toBe(
      "one; two",
    );
  });

  it("gives the findings of a reviewer", () => {
    const review = { verdict: "fail", code: "It leaks", spec: "Vague", round: 1 } as const;
    expect(renderVerdict({ refusal: null, judgement: null, review })).toBe("A reviewer found: It leaks");
    expect(renderVerdict({ refusal: null, judgement: null, review: { ...review, code: "" } })).toBe(
      "A reviewer found: Vague",
    );
    expect(renderVerdict({ refusal: null, judgement: null, review: { ...review, verdict: "pass" } })).toBeNull();
  });

  it.each([
    [gitEvidence(), ""],
    [gitEvidence({ commits: [{ hash: "b", subject: "s" }] }), "; it had made 1 commit"],
    [
      gitEvidence({ commits: [1, 2].map((n) => ({ hash: `${n}`, subject: "s" })), changed: ["a.ts"] }),
      "; it had made 2 commits and changed a.ts",
    ],
    [gitEvidence({ changed: [..."abcdefgh"] }), "; it had changed a, b, c, d, e, f, g, h"],
    [gitEvidence({ changed: [..."abcdefghij"] }), "; it had changed a, b, c, d, e, f, g, h and 2 more"],
    [null, ""],
  ])("reports the leftovers of an interrupted attempt: %j", (evidence, told) => {
    const judgement = judged({}, { ended: "timeout", git: evidence });
    expect(renderVerdict({ refusal: null, judgement, review: null })).toBe(
      `no completion signal (ended by timeout)${told}`,
    );
  });

  it("says why the plan was not changed as requested, and then why the claim did not count", () => {
    const refusal = "a fix task cannot be split";
    const told = "the plan was not changed as asked: a fix task cannot be split";
    expect(renderVerdict({ judgement: null, review: null, refusal })).toBe(told);
    expect(renderVerdict({ judgement: judged({ kind: "accepted" }), review: null, refusal })).toBe(told);
    expect(renderVerdict({ judgement: judged({}), review: null, refusal })).toBe(
      `${told}; no completion signal (ended by timeout)`,
    );
  });

  it("omits the plan and the repository if the attempt ended by itself", () => {
    const judgement = judged({}, { git: gitEvidence({ changed: ["a.ts"] }) });
    expect(renderVerdict({ refusal: null, judgement, review: null })).toBe("no completion signal (ended by timeout)");
  });
});
