import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompletionEvidence, VerifyEvidence } from "../../src/model/evidence.ts";
import { Layer } from "../../src/model/verdict.ts";
import { judgeCompletion } from "../../src/recover/judge-completion.ts";
import type { VerifyRan } from "../../src/recover/verify-error.ts";
import { prop } from "../support/prop.ts";
import { plan, task } from "../support/sample-plan.ts";
import { evidence } from "./samples.ts";

const ran = (exitCode: number | null, part: Partial<VerifyRan> = {}): VerifyRan => ({
  kind: "ran",
  exitCode,
  timedOut: false,
  output: { stdout: "", stderr: "" },
  ...part,
});

const judged = (part: Partial<CompletionEvidence>) => {
  const { kind, layers } = judgeCompletion(evidence(part));
  return { kind, last: layers.at(-1), layers: layers.map(({ layer }) => layer) };
};

describe("judgeCompletion", () => {
  it("accepts a sound claim, layer by layer", () => {
    expect(judgeCompletion(evidence({ verify: ran(0) }))).toEqual({
      kind: "accepted",
      layers: [
        { layer: "signal", kind: "accepted" },
        { layer: "contradiction", kind: "accepted" },
        { layer: "checkmarks", kind: "accepted" },
        { layer: "commit", kind: "accepted", note: "not required" },
        { layer: "verify", kind: "accepted" },
      ],
    });
  });

  it("leaves Verify out as long as its evidence is missing", () => {
    expect(judged({ verify: null })).toMatchObject({
      kind: "accepted",
      layers: ["signal", "contradiction", "checkmarks", "commit"],
    });
  });

  it.each([
    [{ signal: null }, "no completion signal"],
    [{ signal: null, reply: { text: "", exitCode: 1 } }, "no completion signal (exit 1)"],
    [{ signal: null, reply: { text: "", ended: "timeout" } }, "no completion signal (ended by timeout)"],
    [{ signal: "failed" }, "failure reported"],
    [{ reply: { text: "", exitCode: 2 } }, "completion claimed (exit 2)"],
    [{ reply: { text: "", ended: "signal", exitCode: 0 } }, "completion claimed (ended by signal)"],
  ] satisfies [Partial<CompletionEvidence>, string][])("ends at the signal layer with %j", (part, reason) => {
    expect(judged({ contradiction: "needs human", verify: ran(0), ...part })).toEqual({
      kind: "failed",
      last: { layer: "signal", kind: "failed", reason },
      layers: ["signal"],
    });
  });

  it("rejects a claim beside an admission, without looking at Verify", () => {
    const verdict = judgeCompletion(evidence({ contradiction: "needs human", verify: ran(1) }));
    expect(verdict).toEqual({
      kind: "rejected",
      layers: [
        { layer: "signal", kind: "accepted" },
        {
          layer: "contradiction",
          kind: "rejected",
          reason: "CONTRADICTION: claimed completion while admitting failure",
        },
        { layer: "checkmarks", kind: "accepted" },
        { layer: "commit", kind: "accepted", note: "not required" },
      ],
    });
  });

  it("asks a person about a changed plan even when the claim is rejected too", () => {
    expect(
      judged({ contradiction: "needs human", after: plan(task("1.1", { done: true }), task("1.2")) }),
    ).toMatchObject({ kind: "undecided", layers: ["signal", "contradiction", "checkmarks", "commit"] });
  });

  it.each([
    [{ kind: "trusted" }, "not run: executors are trusted"],
    [{ kind: "unrunnable", reason: "no Verify" }, "not runnable: no Verify"],
  ] satisfies [VerifyEvidence, string][])("accepts %j with a note", (verify, note) => {
    expect(judged({ verify })).toMatchObject({ kind: "accepted", last: { layer: "verify", kind: "accepted", note } });
  });

  it.each([126, 127])("asks a person about a Verify that ends with %i", (exitCode) => {
    expect(judged({ verify: ran(exitCode), madeFor: "another error" })).toMatchObject({
      kind: "undecided",
      last: { layer: "verify", kind: "undecided", reason: "the Verify command cannot run" },
    });
  });

  it("fails a claim whose Verify does not pass", () => {
    expect(judged({ verify: ran(1, { output: { stdout: "", stderr: "no parser\n" } }) })).toMatchObject({
      kind: "failed",
      last: { layer: "verify", kind: "failed", reason: "Verify failed (exit 1): no parser" },
    });
  });

  it("fails a claim whose Verify timed out, whatever it ended with", () => {
    for (const exitCode of [0, 127, null]) {
      expect(judged({ verify: ran(exitCode, { timedOut: true }) })).toMatchObject({
        kind: "failed",
        last: { reason: "Verify timed out" },
      });
    }
  });

  it("accepts a fix task whose Verify fails with another error than it was made for", () => {
    const output = { stdout: "", stderr: "2 tests failed" };
    expect(judged({ verify: ran(1, { output }), madeFor: "File not found: src/parser.ts" })).toMatchObject({
      kind: "accepted",
      last: { kind: "accepted", note: "the error it was made for is gone: Verify failed (exit 1): 2 tests failed" },
    });
  });

  it("fails a fix task whose Verify still fails with the error it was made for, at another line", () => {
    const output = { stdout: "", stderr: "src/a.ts:14:2 no parser" };
    expect(
      judged({ verify: ran(1, { output }), madeFor: "Verify failed (exit 1): src/a.ts:12:9 no parser" }),
    ).toMatchObject({ kind: "failed" });
  });
});

const repository = (uncommitted: readonly string[]) => ({
  headBefore: "a",
  headAfter: "a",
  detached: false,
  rewritten: false,
  commits: [],
  changed: [],
  uncommitted: [...uncommitted],
});
const review = (verdict: "pass" | "fail" | "none") => ({ verdict, code: "It leaks", spec: "", round: 1 });
const verifies = fc.oneof(
  fc.constant(null),
  fc.constant({ kind: "trusted" } as const),
  fc.record({ kind: fc.constant("unrunnable" as const), reason: fc.string() }),
  fc.record({
    kind: fc.constant("ran" as const),
    exitCode: fc.constantFrom(null, 0, 1, 126, 127),
    timedOut: fc.boolean(),
    output: fc.record({ stdout: fc.string(), stderr: fc.string() }),
  }),
);
const claims = fc
  .record({
    signal: fc.constantFrom("complete" as const, "failed" as const, null),
    contradiction: fc.constantFrom(null, "needs human"),
    reply: fc.record({
      text: fc.string(),
      exitCode: fc.constantFrom(0, 0, 1),
      ended: fc.constantFrom("exit", "timeout"),
    }),
    after: fc.constantFrom(
      plan(task("1.1", { done: true }), task("1.2"), task("1.3")),
      plan(task("1.1", { done: true }), task("1.2", { done: true }), task("1.3")),
      plan(task("1.1", { done: true }), task("1.2"), task("1.3", { done: true })),
      plan(task("1.1", { done: true }), task("1.2")),
    ),
    requireExecutorTick: fc.boolean(),
    git: fc.constantFrom(null, repository([]), repository(["tasks.md"])),
    requireCommit: fc.boolean(),
    verify: verifies,
    reality: fc.constantFrom(null, { kind: "missing" } as const, ran(0), ran(1)),
    review: fc.constantFrom(null, review("pass"), review("fail"), review("none")),
    madeFor: fc.constantFrom(null, "x"),
  })
  .map((part) => evidence(part as Partial<CompletionEvidence>));

describe("judgeCompletion of a reviewed claim", () => {
  it("takes a review for its last layer", () => {
    const reviewed = judged({ verify: ran(0), review: review("fail") });
    expect(reviewed).toMatchObject({ kind: "failed", last: { layer: "review" } });
    expect(judged({ verify: ran(1), review: review("pass") }).layers).not.toContain("review");
  });
});

describe("judgeCompletion, for every evidence", () => {
  prop("I10 it accepts exactly when every layer it judged accepts", [claims], (claim) => {
    const { kind, layers } = judgeCompletion(claim);
    expect(kind === "accepted").toBe(layers.every((layer) => layer.kind === "accepted"));
    if (kind !== "accepted") expect(layers.some((layer) => layer.kind === kind)).toBe(true);
  });

  prop("I10 it never accepts without a clean completion signal", [claims], (claim) => {
    const clean = claim.signal === "complete" && claim.reply.exitCode === 0 && claim.reply.ended === "exit";
    if (!clean) expect(judgeCompletion(claim)).toMatchObject({ kind: "failed", layers: [{ layer: "signal" }] });
  });

  prop(
    "it judges the layers in their order, the costly ones only on evidence and when those before accept",
    [claims],
    (claim) => {
      const { layers } = judgeCompletion(claim);
      const names = layers.map(({ layer }) => layer);
      expect(Layer.options.filter((layer) => names.includes(layer))).toEqual(names);
      for (const layer of ["verify", "reality", "review"] as const) {
        const at = names.indexOf(layer);
        if (at === -1) continue;
        expect(claim[layer]).not.toBeNull();
        expect(layers.slice(0, at).every(({ kind }) => kind === "accepted")).toBe(true);
      }
    },
  );
});
