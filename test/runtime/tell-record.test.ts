import { describe, expect, it } from "vitest";
import { effects } from "../../src/model/effect.ts";
import type { Judgement } from "../../src/model/judgement.ts";
import type { RunRecord, TimedRunRecord } from "../../src/model/record.ts";
import { tellRecord } from "../../src/runtime/tell-record.ts";
import { usageTeller } from "../../src/runtime/tell-usage.ts";
import { answered } from "../support/answered.ts";
import { recordKinds } from "../support/record-kinds.ts";

const at = "1970-01-01T00:00:01.000Z";
const made = (record: object): TimedRunRecord => ({ at: 1000, ...record }) as TimedRunRecord;
const by = { kind: "terminal", terminal: "/dev/pts/3", process: "bash", pid: 7 } as const;
const word = { word: "stop", by, key: "1.1#2" };
const cause = { kind: "check", check: "CI", job: "1", head: "a" } as const;
const plan = { task: "1.1", place: "behind", tasks: [{ id: "1.2" }, { id: "1.3" }] };
const ran = { command: "npm test", name: "v", result: { durationMs: 30 }, digest: null };

/** What each kind of record is told as; nothing where another says it. */
const told: Readonly<
  Record<Exclude<RunRecord["type"], "answered">, readonly (readonly [record: object, fact: object[]])[]>
> = {
  delegated: [
    [
      { key: "1.1#2", task: "1.1", role: "executor", attempt: 2, level: "pivot", executor: 1 },
      [{ kind: "delegated", task: "1.1", role: "executor", attempt: 2, level: "pivot", executor: 1 }],
    ],
    [
      { key: "1.1#1", task: "1.1", role: "verifier", attempt: 1 },
      [{ kind: "delegated", task: "1.1", role: "verifier", attempt: 1, level: "normal", executor: 0 }],
    ],
  ],
  refunded: [[{ key: "1.1#12" }, [{ kind: "refunded", task: "1.1", attempt: 12 }]]],
  reset: [
    [{ task: "1.1", by }, [{ kind: "reset", task: "1.1", by }]],
    [{ task: "1.1" }, [{ kind: "reset", task: "1.1" }]],
  ],
  guided: [[{ task: "1.1", text: "use zod", by }, [{ kind: "told", task: "1.1", words: "use zod", by }]]],
  skipped: [
    [{ task: "1.1", justification: "no use", by }, [{ kind: "skipped", task: "1.1", justification: "no use", by }]],
  ],
  said: [
    [{ event: { type: "pause" }, by }, [{ kind: "told", task: null, words: "pause", by }]],
    [{ event: { type: "decision.made", decision: "retry" } }, [{ kind: "told", task: null, words: "retry" }]],
    [{ event: { type: "guidance.given", text: "use zod" } }, []],
  ],
  unheard: [
    [word, [{ kind: "unheard", task: "1.1", ...word }]],
    [{ ...word, key: "verify" }, [{ kind: "unheard", task: null, ...word, key: "verify" }]],
  ],
  mended: [
    [
      {
        passes: [
          { key: "1.1#2", verify: ran },
          { key: "1.1.1#1", verify: ran },
        ],
      },
      ["1.1", "1.1.1"].map((task) => ({ kind: "mended", task, command: "npm test", durationMs: 30 })),
    ],
  ],
  addition: [
    [
      { key: "pr#2.6/addPullRequestTask", cause, checks: ["CI"], plan },
      ["1.2", "1.3"].map((task) => ({ kind: "added", task, cause, checks: ["CI"] })),
    ],
  ],
  advised: [[{ text: "use zod" }, []]],
  judged: [[{ key: "1.1#1", answer: { kind: "accepted" } }, []]],
  shipping: [[{ key: "pr#2.1/pushBranch", act: "push", target: "a" }, []]],
  reached: [[{ tasks: ["1.1"] }, []]],
  intended: [[{ key: "1.1#1", fix: { id: "1.1.1" } }, []]],
  closed: [[{ fix: "1.1.1", by: "1.1" }, []]],
  planned: [[{ key: "1.1#1", change: "SPLIT_TASK", plan }, []]],
  boxes: [[{ key: "1.1#1", set: ["1.1"], cleared: [] }, []]],
  dropped: [[{ fix: "1.1.1" }, []]],
  flushed: [[{ tasks: ["1.1"] }, []]],
  passed: [[{ key: "1.1#1", commit: null }, []]],
  left: [[{}, []]],
  continued: [[{}, []]],
  withdrawn: [[{ key: "1.1#1" }, []]],
  released: [[{}, []]],
  ended: [[{ ending: {}, planHash: "p", denial: null }, []]],
};

const cases = Object.entries(told).flatMap(([type, each]) =>
  each.map(([record, facts]) => [type, record, facts] as const),
);

const layers = [{ layer: "verify", kind: "failed", reason: "exit 1" }] as const;
const judgement = { kind: "failed", layers, evidence: { signal: "complete" } } as unknown as Judgement;
const failure = { kind: "task", error: "boom", attemptedFix: "none", status: "stuck", fingerprint: "f" };
const gate = { kind: "gate", reason: "r", hint: "h" };
const verdict = { kind: "judged", attempt: 2, evidence: null, verify: null };
const found = { kind: "reviewed", round: 1 };

const answers: readonly (readonly [says: string, effect: string, answer: object, more: object, facts: object[]])[] = [
  [
    "a verdict with all it was made from",
    "verify",
    { kind: "failed", layer: "verify", reason: "exit 1" },
    { judgement, verify: ran },
    [
      {
        ...verdict,
        verdict: "failed",
        layers,
        evidence: judgement.evidence,
        verify: { command: "npm test", durationMs: 30 },
      },
    ],
  ],
  [
    "a verdict by its layer, where it was not recorded what it was made from",
    "verify",
    { kind: "rejected", layer: "signal", reason: "none" },
    {},
    [{ ...verdict, verdict: "rejected", layers: [{ kind: "rejected", layer: "signal", reason: "none" }] }],
  ],
  [
    "an acceptance of which nothing else was recorded",
    "verify",
    { kind: "accepted" },
    {},
    [{ ...verdict, verdict: "accepted", layers: [] }],
  ],
  ["nothing of a question that is told when it is put", "verify", { kind: "blocked", question: "q" }, {}, []],
  [
    "a Verify that only a person can go on from",
    "verify",
    gate,
    {},
    [{ kind: "asked", decidable: false, reason: "r", hint: "h" }],
  ],
  [
    "what an attempt has failed with",
    "readFailure",
    { ...failure, extra: 1, signs: { strategy: "s" } },
    {},
    [{ kind: "failed", attempt: 2, failure, signs: { strategy: "s" } }],
  ],
  [
    "a failure of which nobody has looked for signs",
    "readFailure",
    failure,
    {},
    [{ kind: "failed", attempt: 2, failure, signs: null }],
  ],
  [
    "a review that passed",
    "review",
    { kind: "accepted" },
    { review: { code: "", spec: "", round: 1, verdict: "pass" } },
    [{ ...found, passed: true, findings: "" }],
  ],
  [
    "what a review has found, of the code and of the spec",
    "review",
    { kind: "failed" },
    { review: { code: "a", spec: "b", round: 1, verdict: "fail" } },
    [{ ...found, passed: false, findings: "a\nb" }],
  ],
  [
    "what a review has found of the spec alone",
    "review",
    { kind: "failed" },
    { review: { code: "", spec: "b", round: 1, verdict: "none" } },
    [{ ...found, passed: false, findings: "b" }],
  ],
  [
    "a review that only a person can go on from",
    "review",
    gate,
    {},
    [{ kind: "asked", decidable: false, reason: "r", hint: "h" }],
  ],
  [
    "where a report was written",
    "writeStuckReport",
    { kind: "written", path: "/a/report.md" },
    {},
    [{ kind: "reported", path: "/a/report.md" }],
  ],
  ["what a person is asked", "askPerson", gate, {}, [{ kind: "asked", decidable: true, reason: "r", hint: "h" }]],
  [
    "what a person has advised, and who it was",
    "askPerson",
    { kind: "guided", text: "use zod" },
    { by },
    [{ kind: "told", words: "use zod", by }],
  ],
  [
    "what a person has decided",
    "askPerson",
    { kind: "decided", decision: "skip" },
    {},
    [{ kind: "told", words: "skip" }],
  ],
  [
    "a limit of the run",
    "delegate",
    { kind: "denied", limit: "maxCost", task: "1.1", max: 2 },
    {},
    [{ kind: "denied", limit: "maxCost", max: 2 }],
  ],
];

/** Effects whose answers nothing is told of, but for questions and limits. */
const loud = ["verify", "readFailure", "review", "writeStuckReport", "askPerson"];
const quiet = Object.keys(effects).filter((effect) => !loud.includes(effect));

describe("tellRecord", () => {
  it("is looked at for every kind of record", () => {
    expect([...Object.keys(told), "answered"].sort()).toEqual([...recordKinds()].sort());
  });

  it.each(cases)("tells of `%s`: %j", (type, record, facts) => {
    expect(tellRecord(made({ type, ...record }))).toEqual(facts.map((fact) => ({ at, ...fact })));
  });

  it.each(answers)("tells %s", (_, effect, answer, more, facts) => {
    const record = made(answered(`1.1#2/${effect}`, answer, more));
    expect(tellRecord(record)).toEqual(facts.map((fact) => ({ at, task: "1.1", ...fact })));
  });

  it.each(quiet)("tells of an answer to %s only that it is a question", (effect) => {
    expect(tellRecord(made(answered(`1.1#2/${effect}`, { kind: "other" })))).toEqual([]);
    expect(tellRecord(made(answered(`1.1#2/${effect}`, gate)))).toEqual([
      { kind: "asked", at, task: "1.1", decidable: false, reason: "r", hint: "h" },
    ]);
  });
});

describe("usageTeller", () => {
  const delegated = made({ type: "delegated", key: "1.1#2", task: "1.1", role: "executor", attempt: 2 });
  const usage = { costUsd: 1 };
  const replied = (more: object): TimedRunRecord => ({
    ...made(answered("1.1#2/delegate", { kind: "replied" }, more)),
    at: 1250,
  });

  it("tells what an attempt has used, and how long it took", () => {
    const tell = usageTeller();
    expect(tell(delegated)).toEqual([]);
    expect(tell(replied({ reply: { text: "", usage } }))).toEqual([
      { kind: "used", at: "1970-01-01T00:00:01.250Z", task: "1.1", attempt: 2, usage, durationMs: 250 },
    ]);
  });

  it("tells nothing of one that does not say it, or that began in another start", () => {
    const tell = usageTeller();
    expect(tell(replied({ reply: { text: "", usage } }))).toEqual([]);
    tell(delegated);
    expect(tell(replied({ reply: { text: "" } }))).toEqual([]);
    expect(tell(replied({}))).toEqual([]);
  });
});
