import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import type { CompletionEvidence, VerifyEvidence } from "../../src/model/evidence.ts";
import { fingerprint } from "../../src/model/fingerprint.ts";
import type { MadeFor } from "../../src/model/fix-task.ts";
import { Layer, type LayerResult } from "../../src/model/verdict.ts";
import { isUnverified, judgeCompletion } from "../../src/recover/judge-completion.ts";
import { prop } from "../support/prop.ts";
import { countOf, digestOf, nameOf, setOf } from "../support/sample-failure.ts";
import { gitEvidence } from "../support/sample-git.ts";
import { plan, task } from "../support/sample-plan.ts";
import { evidence } from "./samples.ts";

const ran = (exitCode: number | null, part: Partial<Extract<VerifyEvidence, { kind: "ran" }>> = {}) => ({
  ...{ kind: "ran" as const, command: "npm test", exitCode, timedOut: false },
  digest: exitCode === 0 ? null : digestOutput("", { command: "npm test" }),
  ...part,
});
/** A Verify that printed a line that no tool prints. */
const printed = (line: string) => ran(1, { digest: digestOutput(`${line}\n`, { command: "npm test" }) });
/** A Verify of which a tool says that these tests failed. */
const failing = (...ids: string[]) => ran(1, { digest: digestOf(ids) });

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
    [
      { signal: "misplaced", reply: { text: "", exitCode: 1 } },
      "completion claimed in the word of another role (exit 1)",
    ],
    [{ reply: { text: "", exitCode: 2 } }, "completion claimed (exit 2)"],
    [{ reply: { text: "", ended: "signal", exitCode: 0 } }, "completion claimed (ended by signal)"],
  ] satisfies [Partial<CompletionEvidence>, string][])("ends at the signal layer with %j", (part, reason) => {
    expect(judged({ contradiction: "needs human", verify: ran(0), ...part })).toEqual({
      kind: "failed",
      last: { layer: "signal", kind: "failed", reason },
      layers: ["signal"],
    });
  });

  it("rejects a claim in the word of another role, and names the word that counts", () => {
    const said = { signal: "misplaced" as const, verify: ran(0) };
    const verification = { id: "1.2", markers: ["VERIFY"] };
    expect(judged({ ...said, task: verification })).toEqual({
      kind: "rejected",
      last: {
        layer: "signal",
        kind: "rejected",
        reason: "said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS",
      },
      layers: ["signal"],
    });
    expect(judged(said).last).toMatchObject({
      reason: "said VERIFICATION_PASS; the executor of a task says TASK_COMPLETE",
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
  ] satisfies [VerifyEvidence, string][])("accepts %j, and says that nothing has shown it", (verify, note) => {
    const { kind, layers } = judgeCompletion(evidence({ verify }));
    expect([kind, layers.at(-1)]).toEqual(["accepted", { layer: "verify", kind: "unverified", note }]);
    expect(isUnverified(layers)).toBe(true);
  });

  it("takes a claim for verified that its Verify or the reality check has shown", () => {
    const layersOf = (part: Partial<CompletionEvidence>) => judgeCompletion(evidence(part)).layers;
    expect(isUnverified(layersOf({ verify: ran(0) }))).toBe(false);
    expect(isUnverified(layersOf({ verify: { kind: "trusted" }, reality: ran(0) }))).toBe(false);
    expect(isUnverified(layersOf({ verify: { kind: "trusted" }, reality: ran(1) }))).toBe(true);
    expect(isUnverified(layersOf({ verify: { kind: "trusted" }, review: review("pass") }))).toBe(true);
  });

  it.each([126, 127])("asks a person about a Verify that ends with %i", (exitCode) => {
    expect(judged({ verify: ran(exitCode), madeFor: { fingerprint: "another error" } })).toMatchObject({
      kind: "undecided",
      last: { layer: "verify", kind: "undecided", reason: "the Verify command cannot run" },
    });
  });

  it("fails a claim whose Verify does not pass", () => {
    expect(judged({ verify: printed("no parser") })).toMatchObject({
      kind: "failed",
      last: { layer: "verify", kind: "failed", reason: "Verify failed (exit 1): no parser" },
    });
  });

  it("fails a claim whose Verify ended without an exit code, by a signal or a flood of output", () => {
    expect(judged({ verify: ran(null) })).toMatchObject({
      kind: "failed",
      last: { layer: "verify", kind: "failed", reason: "Verify failed (ended by a signal)" },
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
    const madeFor = { fingerprint: fingerprint("File not found: src/parser.ts") };
    expect(judged({ verify: printed("no such table"), madeFor })).toMatchObject({
      kind: "accepted",
      last: { kind: "accepted", note: "what it was made for is gone: Verify failed (exit 1): no such table" },
    });
  });

  it("fails a fix task whose Verify still fails with the error it was made for, at another line", () => {
    const madeFor = { fingerprint: fingerprint("Verify failed (exit 1): src/a.ts:12:9 no parser") };
    expect(judged({ verify: printed("src/a.ts:14:2 no parser"), madeFor })).toMatchObject({ kind: "failed" });
  });

  it("asks a person what the executor asks, whatever else it claims", () => {
    const asked = { signal: "blocked" as const, blocker: "Which database?" };
    for (const reply of [{ text: "" }, { text: "", exitCode: 1 }]) {
      expect(judged({ ...asked, reply, contradiction: "needs human", verify: ran(0) })).toEqual({
        kind: "undecided",
        last: { layer: "signal", kind: "undecided", reason: "Which database?" },
        layers: ["signal"],
      });
    }
    expect(judged({ signal: "blocked" }).last).toMatchObject({ reason: "a person has to decide" });
  });
});

describe("judgeCompletion of a fix task", () => {
  const madeFor = (...ids: string[]): MadeFor => ({
    ...{ fingerprint: "0", failing: setOf(...ids) },
    ...(ids[0] !== undefined && { first: nameOf(ids[0]) }),
  });
  const fixed = (made: MadeFor, verify: VerifyEvidence) => judged({ verify, madeFor: made }).kind;

  it("accepts what has lost the failure it was made for, and gained none", () => {
    expect(judged({ verify: failing("b"), madeFor: madeFor("a", "b") }).last).toEqual({
      ...{ layer: "verify", kind: "accepted" },
      note: "what it was made for is gone: Verify failed (exit 1), 1 failing: b: b is wrong",
    });
    expect(fixed(madeFor("a"), ran(0))).toBe("accepted");
  });

  it.each([
    ["the same fails", ["a", "b"]],
    ["only another failure is gone", ["a"]],
    ["another one came instead", ["b", "c"]],
    ["all are gone, and others came", ["c"]],
    ["more fail", ["a", "b", "c"]],
  ])("fails where %s", (_, left) => {
    expect(fixed(madeFor("a", "b"), failing(...left))).toBe("failed");
  });

  it("takes 22 failures after 16 for no help, whatever the error says", () => {
    const before = Array.from({ length: 16 }, (_, index) => `t${index}`);
    const after = Array.from({ length: 22 }, (_, index) => `t${index + 1}`);
    expect(fixed(madeFor(...before), failing(...after))).toBe("failed");
    expect(fixed({ fingerprint: "0", failing: countOf(16) }, failing(...after))).toBe("failed");
    const counted = ran(1, { digest: digestOf([], { source: "count", failed: 22 }) });
    expect(fixed({ fingerprint: "0", failing: countOf(16, { stage: "count" }) }, counted)).toBe("failed");
  });

  it("takes fewer failures for help where their names are not known", () => {
    const counted = (failed: number) => ran(1, { digest: digestOf([], { source: "count", failed }) });
    const made = { fingerprint: "0", failing: countOf(4, { stage: "count" }) };
    expect([3, 4, 5].map((failed) => fixed(made, counted(failed)))).toEqual(["accepted", "failed", "failed"]);
    expect(fixed({ fingerprint: "0", failing: countOf(4) }, counted(3))).toBe("failed");
  });

  it("fails where no tool says any more what failed", () => {
    expect(fixed(madeFor("a"), printed("boom"))).toBe("failed");
    expect(fixed(madeFor("a", "b"), ran(1, { digest: null }))).toBe("failed");
  });

  it("goes by the error where it was made for one that nobody has counted", () => {
    const error = "Verify failed (exit 1), 1 failing: a: a is wrong";
    expect(fixed({ fingerprint: fingerprint("boom") }, failing("a"))).toBe("accepted");
    expect(fixed({ fingerprint: fingerprint(error) }, failing("a"))).toBe("failed");
  });

  it("fails where a time limit has ended its Verify, whatever was seen of it", () => {
    expect(fixed(madeFor("a", "b"), { ...failing("b"), timedOut: true })).toBe("failed");
    expect(fixed({ fingerprint: "0" }, ran(null, { timedOut: true }))).toBe("failed");
  });

  prop(
    "it is accepted just when its first failure is gone and none came",
    [
      fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d"), { minLength: 1 }),
      fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d", "e"), { minLength: 1 }),
    ],
    (before, after) => {
      const hasHelped = !after.includes(before[0] as string) && after.every((id) => before.includes(id));
      expect(fixed(madeFor(...before), failing(...after))).toBe(hasHelped ? "accepted" : "failed");
    },
  );
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
    digest: fc.oneof(
      fc.constant(null),
      fc.string().map((output) => digestOutput(output, { command: "npm test" })),
      fc.subarray(["a", "b", "c"], { minLength: 1 }).map((ids) => digestOf(ids)),
    ),
  }),
);
const claims = fc
  .record({
    signal: fc.constantFrom("complete" as const, "failed" as const, "blocked" as const, "misplaced" as const, null),
    blocker: fc.constantFrom(null, "Which database?"),
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
    git: fc.constantFrom(null, gitEvidence(), gitEvidence({ uncommitted: ["tasks.md"] })),
    requireCommit: fc.boolean(),
    verify: verifies,
    reality: fc.constantFrom(null, { kind: "missing" } as const, ran(0), ran(1)),
    review: fc.constantFrom(null, review("pass"), review("fail"), review("none")),
    madeFor: fc.constantFrom(
      null,
      { fingerprint: "x" },
      { fingerprint: "x", failing: setOf("a", "b"), first: nameOf("a") },
    ),
  })
  .map((part) => evidence(part as Partial<CompletionEvidence>));

describe("judgeCompletion of a reviewed claim", () => {
  it("takes a review for its last layer", () => {
    const reviewed = judged({ verify: ran(0), review: review("fail") });
    expect(reviewed).toMatchObject({ kind: "failed", last: { layer: "review" } });
    expect(judged({ verify: ran(1), review: review("pass") }).layers).not.toContain("review");
  });
});

/** Nothing stands against it: an unverified layer passes, and no other but Verify is one. */
const isPassed = ({ layer, kind }: LayerResult): boolean =>
  kind === "accepted" || (kind === "unverified" && layer === "verify");

describe("judgeCompletion, for every evidence", () => {
  prop("I10 it accepts exactly when every layer it judged accepts", [claims], (claim) => {
    const { kind, layers } = judgeCompletion(claim);
    expect(kind === "accepted").toBe(layers.every(isPassed));
    if (kind !== "accepted") expect(layers.some((layer) => layer.kind === kind)).toBe(true);
  });

  prop("I10 it never accepts without a clean completion signal", [claims], (claim) => {
    const clean = claim.signal === "complete" && claim.reply.exitCode === 0 && claim.reply.ended === "exit";
    const { exitCode = 0, ended = "exit" } = claim.reply;
    const isMisplaced = claim.signal === "misplaced" && exitCode === 0 && ended === "exit";
    const kind = claim.signal === "blocked" ? "undecided" : isMisplaced ? "rejected" : "failed";
    if (!clean) expect(judgeCompletion(claim)).toMatchObject({ kind, layers: [{ layer: "signal" }] });
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
        expect(layers.slice(0, at).every(isPassed)).toBe(true);
      }
    },
  );
});
