import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { type CompletionEvidence, Layer, type LayerResult, type VerifyEvidence } from "../../src/model/evidence.ts";
import type { MadeFor } from "../../src/model/failure.ts";
import { fingerprint } from "../../src/model/text.ts";
import { awaitsVerify, judgeCompletion } from "../../src/recover/judge-completion.ts";
import { prop } from "../support/prop.ts";
import { countOf, digestOf, nameOf, setOf } from "../support/sample-failure.ts";
import { gitEvidence } from "../support/sample-git.ts";
import { plan, task } from "../support/sample-plan.ts";
import { evidence } from "./samples.ts";

const ran = (exitCode: number | null, part: Partial<Extract<VerifyEvidence, { kind: "ran" }>> = {}) => ({
  ...{ kind: "ran" as const, command: "npm test", exitCode, timedOut: false },
  digest: exitCode === 0 ? null : digestOutput(""),
  ...part,
});
const printed = (line: string) => ran(1, { digest: digestOutput(`${line}\n`) });
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

  it("omits Verify while its evidence is missing", () => {
    expect(judged({ verify: null })).toMatchObject({
      kind: "accepted",
      layers: ["signal", "contradiction", "checkmarks", "commit"],
    });
  });

  it.each([
    [{ signal: null, reply: { text: "", exitCode: 1 } }, "no completion signal (exit 1)"],
    [{ signal: null, reply: { text: "", ended: "timeout" } }, "no completion signal (ended by timeout)"],
  ] satisfies [Partial<CompletionEvidence>, string][])(
    "fails an executor that gave up without a message, whatever Verify says: %j",
    (part, reason) => {
      for (const verify of [null, ran(0), ran(1)]) {
        expect(judged({ verify, proof: { kind: "proven" }, ...part })).toEqual({
          kind: "failed",
          last: { layer: "signal", kind: "failed", reason },
          layers: ["signal"],
        });
      }
    },
  );

  it("asks a person about a changed plan even when the claim is rejected too", () => {
    expect(
      judged({ contradiction: "I could not do it", after: plan(task("1.1", { done: true }), task("1.2")) }),
    ).toMatchObject({ kind: "undecided", layers: ["signal", "contradiction", "checkmarks", "commit"] });
  });

  it.each([
    [{ kind: "trusted" }, "not run: executors are trusted"],
    [{ kind: "unrunnable", reason: "no Verify" }, "no Verify ran: no Verify"],
  ] satisfies [VerifyEvidence, string][])("accepts %j, and states that nothing proves it", (verify, note) => {
    const { kind, layers } = judgeCompletion(evidence({ verify }));
    expect([kind, layers.at(-1)]).toEqual(["accepted", { layer: "verify", kind: "unverified", note }]);
  });

  it.each([126, 127])("asks a person about a Verify that exits with %i", (exitCode) => {
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

  it("fails a claim whose Verify timed out, whatever its exit code", () => {
    for (const exitCode of [0, 127, null]) {
      expect(judged({ verify: ran(exitCode, { timedOut: true }) })).toMatchObject({
        kind: "failed",
        last: { reason: "Verify timed out" },
      });
    }
  });

  it("fails a fix for an error without counted failures while its Verify fails, even with another error", () => {
    const madeFor = { fingerprint: fingerprint("File not found: src/parser.ts") };
    for (const verify of [printed("no such table"), failing("a"), ran(null, { timedOut: true })]) {
      expect(judged({ verify, madeFor }).kind).toBe("failed");
    }
    expect(judged({ verify: ran(0), madeFor }).kind).toBe("accepted");
  });

  it("asks a person the executor's question in its own words, whatever else it claims and Verify prints", () => {
    const asked = { signal: "blocked" as const, blocker: "Which database?", contradiction: "I could not do it" };
    expect(judged(asked)).toEqual({
      kind: "undecided",
      last: { layer: "signal", kind: "undecided", reason: "Which database?" },
      layers: ["signal"],
    });
    const [signal] = judgeCompletion(evidence({ signal: "blocked" })).layers;
    expect(signal).toMatchObject({ reason: "a person has to decide" });
    const beside = (verify: VerifyEvidence) => {
      const { kind, layers } = judgeCompletion(evidence({ ...asked, verify, proof: { kind: "proven" } }));
      return [kind, layers.find(({ layer }) => layer === "signal")];
    };
    for (const verify of [ran(0), printed("boom"), ran(0, { timedOut: true })]) {
      expect(beside(verify)).toMatchObject(["undecided", { reason: "Which database?" }]);
    }
  });
});

const request = { type: "SPLIT_TASK", originalTaskId: "1.1", reasoning: "It is large", proposedTasks: [] } as const;

const wrongWords = [
  [
    { signal: null, reply: { text: "It works.\n```\nok\n```\n" } },
    'your last message has no line TASK_COMPLETE; it ended with "ok"',
  ],
  [
    { signal: null, reply: { text: "The build runs on.", leftBehind: 2 } },
    'your last message has no line TASK_COMPLETE; it ended with "The build runs on."; your background processes were stopped when you ended',
  ],
  [{ signal: null, reply: { text: "\n" } }, "your last message is empty, without a line TASK_COMPLETE"],
  [
    { signal: null, reply: { text: "", claim: { kind: "modify", request } } },
    "you did not report the task as complete",
  ],
  [
    { signal: null, reply: { text: "**Which port should it be?**" } },
    'nobody reads your question "**Which port should it be?**": decide, or write BLOCKED: and the question',
  ],
  [{ signal: "misplaced" }, "said VERIFICATION_PASS; the executor of a task must say TASK_COMPLETE"],
  [
    { contradiction: "Left the import undone, the rest is in place." },
    'you said TASK_COMPLETE and: "Left the import undone, the rest is in place."',
  ],
  [
    { after: plan(task("1.1", { done: true }), task("1.2"), task("1.3", { done: true })) },
    "you ticked 1.3, which is not yours: its box is open again",
  ],
] satisfies [Partial<CompletionEvidence>, string][];

describe.each(wrongWords)("judgeCompletion of a claim with %j", (part, words) => {
  const claim = (more: Partial<CompletionEvidence>) => judgeCompletion(evidence({ ...part, ...more }));
  const noted = expect.arrayContaining([expect.objectContaining({ kind: "accepted", note: words })]);
  const rejected = { kind: "rejected", layers: expect.arrayContaining([expect.objectContaining({ reason: words })]) };
  const unproven = { kind: "unproven", reason: "green before the work" } as const;

  it("rejects it without a Verify run, with advice for the agent", () => {
    for (const verify of [null, { kind: "trusted" }, { kind: "unrunnable", reason: "x" }] as const) {
      expect(claim({ verify, rejections: 3, changedFiles: true })).toMatchObject(rejected);
    }
  });

  it("fails it with a red Verify, and notes the wording", () => {
    const { kind, layers } = claim({ verify: printed("boom") });
    expect([kind, layers]).toEqual(["failed", noted]);
    expect(layers.filter((layer) => layer.kind === "failed")).toEqual([
      { layer: "verify", kind: "failed", reason: "Verify failed (exit 1): boom" },
    ]);
  });

  it("asks about a Verify that cannot run, and notes the wording", () => {
    expect(claim({ verify: ran(127) })).toMatchObject({ kind: "undecided", layers: noted });
  });

  it.each(["proven", "checked"] as const)(
    "accepts it with a green Verify that is %s, and notes the wording",
    (kind) => {
      expect(claim({ verify: ran(0), proof: { kind } })).toMatchObject({ kind: "accepted", layers: noted });
      expect(claim({ verify: ran(0), proof: { kind } }).layers.at(-1)).toEqual({
        layer: "verify",
        kind: "accepted",
        note: kind,
      });
    },
  );

  it("rejects it once with a green Verify without proof, then accepts it if a file changed", () => {
    const green = { verify: ran(0), proof: unproven };
    expect(claim({ ...green, changedFiles: true })).toMatchObject(rejected);
    expect(claim({ verify: ran(0), changedFiles: true })).toMatchObject(rejected);
    const again = { ...green, rejections: 1 };
    expect(claim({ ...again, changedFiles: false })).toMatchObject(rejected);
    expect(claim({ ...again, changedFiles: null })).toMatchObject(rejected);
    expect(claim(again)).toMatchObject(rejected);
    expect(claim({ ...again, git: gitEvidence() })).toMatchObject(
      gitEvidence().changed.length > 0 ? { kind: "accepted" } : rejected,
    );
    const { kind, layers } = claim({ ...again, changedFiles: true });
    expect([kind, layers]).toEqual(["accepted", noted]);
    expect(layers.at(-1)).toMatchObject({ note: "unproven: green before the work" });
  });
});

describe("awaitsVerify", () => {
  it("is true whatever the wording, unless the executor gave up, or a person is asked about the plan", () => {
    const awaits = (part: Partial<CompletionEvidence>) => awaitsVerify(evidence(part));
    for (const [part] of wrongWords) expect(awaits(part)).toBe(true);
    expect(awaits({ signal: "blocked" })).toBe(true);
    expect(awaits({ signal: "failed" })).toBe(true);
    expect(awaits({ reply: { text: "All is done", exitCode: 1 } })).toBe(false);
    expect(awaits({ reply: { text: "All is done", ended: "timeout" } })).toBe(false);
    // A service problem that the tool reports counts with any exit code.
    const reply = { text: "[API Error: 403]", problem: { kind: "permission" as const, message: "403" } };
    expect([null, "complete" as const].map((signal) => awaits({ reply, signal }))).toEqual([false, true]);
    expect(awaits({ after: plan(task("1.1", { done: true }), task("1.2")) })).toBe(false);
    expect(awaits({ rules: "source" })).toBe(false);
  });
});

describe("judgeCompletion by wording", () => {
  it("names the word of a verifier", () => {
    const verification = { id: "1.2", markers: ["VERIFY"] };
    const told = (part: Partial<CompletionEvidence>) => judged({ task: verification, ...part }).last;
    expect(told({ signal: null, reply: { text: "ok" } })).toMatchObject({
      reason: 'your last message has no line VERIFICATION_PASS; it ended with "ok"',
    });
    expect(told({ signal: "misplaced" })).toMatchObject({
      reason: "said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS",
    });
  });

  it("does not count an admission against an attempt that claims nothing", () => {
    const said = { signal: null, contradiction: "I could not do it", verify: ran(0) };
    const reasons = judgeCompletion(evidence(said)).layers.filter(({ kind }) => kind === "rejected");
    expect(reasons.map(({ layer }) => layer)).toEqual(["signal"]);
  });

  it("insists on boxes if an executor has to tick its own", () => {
    const after = plan(task("1.1", { done: true }), task("1.2"), task("1.3"));
    const own = { after, requireExecutorTick: true, verify: ran(0), proof: { kind: "proven" } as const };
    expect(judged(own).kind).toBe("rejected");
    expect(judged({ ...own, verify: ran(1), proof: null }).kind).toBe("failed");
  });

  it("insists on a commit if one is required, whatever is proven", () => {
    const git = gitEvidence({ uncommitted: ["tasks.md"] });
    const claim = { git, requireCommit: true, verify: ran(0), proof: { kind: "proven" } as const };
    expect(judged(claim).kind).toBe("rejected");
  });

  it.each([
    [{ signal: "misplaced" }, "completion claimed with the signal of another role (exit 1)"],
    [{ signal: null }, "no completion signal (exit 1)"],
    [{ signal: "failed" }, "failure reported (exit 1)"],
    [{ signal: "complete" }, "completion claimed (exit 1)"],
  ] satisfies [Partial<CompletionEvidence>, string][])(
    "fails %j of an executor that gave up, whatever its Verify says",
    (part, reason) => {
      const claim = { ...part, reply: { text: "boom", exitCode: 1 } };
      const failed = { kind: "failed", layers: [{ layer: "signal", kind: "failed", reason }] };
      for (const verify of [null, ran(0), ran(1)]) {
        expect(judgeCompletion(evidence({ ...claim, verify, proof: { kind: "proven" } }))).toEqual(failed);
      }
    },
  );
});

describe("judgeCompletion of an attempt that changed its proof", () => {
  const harmed = (rejects: boolean, part: Partial<CompletionEvidence> = {}) =>
    judged({ verify: ran(0), proof: { kind: "proven" }, harm: { reason: "1 test is gone", rejects }, ...part });

  it("rejects it, or notes it if the guard only warns", () => {
    expect(harmed(true)).toMatchObject({ kind: "rejected", last: { layer: "guard", reason: "1 test is gone" } });
    expect(harmed(false)).toMatchObject({ kind: "accepted", last: { layer: "guard", note: "1 test is gone" } });
  });

  it("does not judge the change if Verify failed", () => {
    expect(harmed(true, { verify: ran(1), proof: null })).toMatchObject({ kind: "failed", last: { layer: "verify" } });
  });
});

describe("judgeCompletion of a reported failure", () => {
  const reported = (part: Partial<CompletionEvidence>) => judgeCompletion(evidence({ signal: "failed", ...part }));
  const proven = { verify: ran(0), proof: { kind: "proven" } as const };

  it("fails it without a Verify run", () => {
    for (const verify of [null, { kind: "trusted" }] as const) {
      expect(reported({ verify, rejections: 2 })).toEqual({
        kind: "failed",
        layers: [{ layer: "signal", kind: "failed", reason: "failure reported" }],
      });
    }
  });

  it("fails it with a red Verify, with a note", () => {
    const { kind, layers } = reported({ verify: printed("boom") });
    expect(kind).toBe("failed");
    expect(layers[0]).toEqual({ layer: "signal", kind: "accepted", note: "failure reported" });
    expect(layers.at(-1)).toMatchObject({ layer: "verify", kind: "failed" });
  });

  it("asks once what is missing if Verify is green, then accepts only proven work", () => {
    const asked = "you reported a failure, but Verify passes: say what is missing, or end with a line TASK_COMPLETE";
    for (const proof of [undefined, proven.proof, { kind: "checked" }, { kind: "unproven", reason: "x" }] as const) {
      const green = { verify: ran(0), ...(proof && { proof }), changedFiles: true };
      expect(reported(green)).toMatchObject({ kind: "rejected", layers: [{ reason: asked }, {}, {}, {}, {}] });
      expect(reported({ ...green, rejections: 1 })).toMatchObject(
        proof?.kind === "proven"
          ? {
              kind: "accepted",
              layers: [{ note: "failure reported again, although Verify has proven the work" }, {}, {}, {}, {}],
            }
          : { kind: "failed", layers: [{ reason: "failure reported" }, {}, {}, {}, {}] },
      );
    }
  });

  it("asks for a report where the claim was one", () => {
    const reply = { text: "", claim: { kind: "failed", error: "It is odd" } } as const;
    const asked = "you reported a failure, but Verify passes: say what is missing, or report the task as complete";
    expect(reported({ verify: ran(0), reply })).toMatchObject({ layers: [{ reason: asked }, {}, {}, {}, {}] });
  });

  it("trusts a reviewer and a reality check, whatever is proven", () => {
    expect(judged({ ...proven, review: review("fail") }).kind).toBe("failed");
    expect(judged({ ...proven, reality: ran(1) }).kind).toBe("failed");
  });
});

describe("judgeCompletion in the source's mode", () => {
  const source = (part: Partial<CompletionEvidence>) =>
    judged({ rules: "source", verify: ran(0), proof: { kind: "proven" }, ...part });

  it.each([
    [{ signal: null }, "no completion signal"],
    [{ signal: "failed" }, "failure reported"],
  ] satisfies [Partial<CompletionEvidence>, string][])("fails a claim for its wording: %j", (part, reason) => {
    expect(source(part)).toEqual({
      kind: "failed",
      last: { layer: "signal", kind: "failed", reason },
      layers: ["signal"],
    });
  });

  it("rejects a claim for an admission or a foreign box, and runs nothing", () => {
    for (const [part] of wrongWords.slice(-2)) {
      expect(source(part)).toMatchObject({
        kind: "rejected",
        layers: ["signal", "contradiction", "checkmarks", "commit"],
      });
    }
  });

  it("judges Verify last", () => {
    expect(source({})).toMatchObject({ kind: "accepted", last: { layer: "verify" } });
    expect(source({ verify: ran(1), proof: null })).toMatchObject({ kind: "failed", last: { layer: "verify" } });
  });
});

describe("judgeCompletion of a fix task", () => {
  const madeFor = (...ids: string[]): MadeFor => ({
    ...{ fingerprint: "0", failing: setOf(...ids) },
    ...(ids[0] !== undefined && { first: nameOf(ids[0]) }),
  });
  const fixed = (made: MadeFor, verify: VerifyEvidence) => judged({ verify, madeFor: made }).kind;

  it("fails one that reports failure while Verify is red, although the target failure is gone", () => {
    const verify = failing("b");
    expect(judged({ signal: "failed", verify, madeFor: madeFor("a", "b") }).kind).toBe("failed");
  });

  it("accepts one that removed its target failure, and added none", () => {
    expect(judged({ verify: failing("b"), madeFor: madeFor("a", "b") }).last).toEqual({
      ...{ layer: "verify", kind: "accepted" },
      note: "the original failure is gone; still failing: Verify failed (exit 1), 1 failing: b: b is wrong",
    });
    expect(fixed(madeFor("a"), ran(0))).toBe("accepted");
  });

  it.each([
    ["the same checks fail", ["a", "b"]],
    ["only another failure is gone", ["a"]],
    ["another check fails instead of one", ["b", "c"]],
    ["another check fails instead of all", ["c"]],
    ["more checks fail", ["a", "b", "c"]],
  ])("fails if %s", (_, left) => {
    expect(fixed(madeFor("a", "b"), failing(...left))).toBe("failed");
  });

  it("treats 22 failures after 16 as no improvement, whatever the error says", () => {
    const before = Array.from({ length: 16 }, (_, index) => `t${index}`);
    const after = Array.from({ length: 22 }, (_, index) => `t${index + 1}`);
    expect(fixed(madeFor(...before), failing(...after))).toBe("failed");
    expect(fixed({ fingerprint: "0", failing: countOf(16) }, failing(...after))).toBe("failed");
    const counted = ran(1, { digest: digestOf([], { source: "count", failed: 22 }) });
    expect(fixed({ fingerprint: "0", failing: countOf(16, { stage: "count" }) }, counted)).toBe("failed");
  });

  it("treats fewer failures as an improvement if their names are unknown", () => {
    const counted = (failed: number) => ran(1, { digest: digestOf([], { source: "count", failed }) });
    const made = { fingerprint: "0", failing: countOf(4, { stage: "count" }) };
    expect([3, 4, 5].map((failed) => fixed(made, counted(failed)))).toEqual(["accepted", "failed", "failed"]);
    expect(fixed({ fingerprint: "0", failing: countOf(4) }, counted(3))).toBe("failed");
  });

  it("fails if no tool reports the failures any more", () => {
    expect(fixed(madeFor("a"), printed("boom"))).toBe("failed");
    expect(fixed(madeFor("a", "b"), ran(1, { digest: null }))).toBe("failed");
  });

  it("fails if another command showed the failure, or no file changed", () => {
    const verify = { ...failing("b"), command: "npm test" };
    const made = { ...madeFor("a", "b"), command: "npm test" };
    expect(fixed(made, verify)).toBe("accepted");
    expect(fixed({ ...made, command: "make test" }, verify)).toBe("failed");
    expect(judged({ verify, madeFor: made, changedFiles: true }).kind).toBe("accepted");
    expect(judged({ verify, madeFor: made, changedFiles: false }).kind).toBe("failed");
    expect(judged({ verify, madeFor: made, git: { ...gitEvidence(), changed: [] } }).kind).toBe("failed");
  });

  it("passes with green, whatever changed", () => {
    expect(judged({ verify: ran(0), madeFor: madeFor("a"), changedFiles: false }).kind).toBe("accepted");
  });

  it("fails if a time limit ended its Verify, whatever part of it ran", () => {
    expect(fixed(madeFor("a", "b"), { ...failing("b"), timedOut: true })).toBe("failed");
    expect(fixed({ fingerprint: "0" }, ran(null, { timedOut: true }))).toBe("failed");
  });

  prop(
    "it is accepted exactly if its first failure is gone and none is new",
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
      fc.string().map((output) => digestOutput(output)),
      fc.subarray(["a", "b", "c"], { minLength: 1 }).map((ids) => digestOf(ids)),
    ),
  }),
);
const claims = fc
  .record({
    signal: fc.constantFrom("complete" as const, "failed" as const, "blocked" as const, "misplaced" as const, null),
    blocker: fc.constantFrom(null, "Which database?"),
    contradiction: fc.constantFrom(null, "I could not do it"),
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
    proof: fc.constantFrom(
      undefined,
      { kind: "proven" } as const,
      { kind: "checked" } as const,
      { kind: "unproven", reason: "no result from before the work" } as const,
    ),
    rejections: fc.nat(2),
    changedFiles: fc.constantFrom(undefined, null, true, false),
    madeFor: fc.constantFrom(
      null,
      { fingerprint: "x" },
      { fingerprint: "x", failing: setOf("a", "b"), first: nameOf("a") },
    ),
  })
  .map((part) => evidence(part as Partial<CompletionEvidence>));

describe("judgeCompletion of a reviewed claim", () => {
  it("has the review as its last layer", () => {
    const reviewed = judged({ verify: ran(0), review: review("fail") });
    expect(reviewed).toMatchObject({ kind: "failed", last: { layer: "review" } });
    expect(judged({ verify: ran(1), review: review("pass") }).layers).not.toContain("review");
  });
});

/** `unverified` counts as a pass, but is valid only for Verify. */
const isPassed = ({ layer, kind }: LayerResult): boolean =>
  kind === "accepted" || (kind === "unverified" && layer === "verify");

const isRed = ({ verify }: CompletionEvidence): boolean =>
  verify?.kind === "ran" && (verify.exitCode !== 0 || verify.timedOut);

describe("judgeCompletion, for every evidence", () => {
  prop("I10 it accepts exactly if every judged layer accepts", [claims], (claim) => {
    const { kind, layers } = judgeCompletion(claim);
    expect(kind === "accepted").toBe(layers.every(isPassed));
    if (kind !== "accepted") expect(layers.some((layer) => layer.kind === kind)).toBe(true);
  });

  prop("I10 it never accepts an unclaimed task unless a Verify passes", [claims], (claim) => {
    const isGreen = claim.verify?.kind === "ran" && (!isRed(claim) || claim.proof != null || claim.madeFor !== null);
    const { exitCode = 0, ended = "exit" } = claim.reply;
    const isClaimed = claim.signal === "complete" && exitCode === 0 && ended === "exit";
    if (!isClaimed && !isGreen) expect(judgeCompletion(claim).kind).not.toBe("accepted");
    if (claim.signal === "blocked" && (isClaimed || claim.reply.text.trim() !== "")) {
      expect(judgeCompletion(claim).kind).toBe("undecided");
    }
  });

  prop("a red Verify with only relevant failures never passes, whatever the wording", [claims], (claim) => {
    if (isRed(claim) && claim.proof == null && claim.madeFor === null)
      expect(judgeCompletion(claim).kind).not.toBe("accepted");
  });

  prop(
    "wording alone never fails a claim with a green Verify of an executor that ended normally",
    [claims],
    (claim) => {
      const { exitCode = 0, ended = "exit" } = claim.reply;
      const isGreen = claim.verify?.kind === "ran" && !isRed(claim);
      if (!isGreen || exitCode !== 0 || ended !== "exit" || claim.signal === "failed") return;
      const failed = judgeCompletion(claim).layers.filter(({ kind }) => kind === "failed");
      expect(failed.filter(({ layer }) => layer !== "reality" && layer !== "review")).toEqual([]);
    },
  );

  prop("it judges the layers in order, and the most expensive only on evidence", [claims], (claim) => {
    const { layers } = judgeCompletion(claim);
    const names = layers.map(({ layer }) => layer);
    expect(Layer.options.filter((layer) => names.includes(layer))).toEqual(names);
    for (const layer of ["verify", "reality", "review"] as const) {
      if (names.includes(layer)) expect(claim[layer]).not.toBeNull();
    }
    for (const layer of ["reality", "review"] as const) {
      const at = names.indexOf(layer);
      if (at !== -1) expect(layers.slice(0, at).every(isPassed)).toBe(true);
    }
  });
});
