import { describe, expect, it } from "vitest";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import { replayRun } from "../../src/runtime/replay-run.ts";
import { recordedRun } from "../support/journals/recorded-run.ts";

type Part = Record<string, unknown>;

/** The first record of a name, an effect or a type, alone or with the begin of its key behind it. */
function find({ starts }: { readonly starts: readonly RecordedStart[] }, name: string): TimedRunRecord {
  const [kind, key = ""] = name.split(" ");
  const found = starts
    .flatMap(({ records }) => records)
    .find((record) => {
      const own = record.type === "answered" ? record.effect : record.type;
      return own === kind && ("key" in record ? record.key : "").startsWith(key);
    });
  return found as TimedRunRecord;
}

/** Put a value into a record. Answers what stood there. */
function put(record: TimedRunRecord, path: string, value: unknown): unknown {
  const fields = path.split(/(?<!\\)\./).map((field) => field.replace("\\", ""));
  const last = fields.pop() as string;
  const place = fields.reduce((part, field) => part[field] as Part, record as unknown as Part);
  const before = place[last];
  place[last] = value;
  return before;
}

/** The first difference of a recorded run in which one value is another, and the value that was recorded. */
function changed(name: string, record: string, path: string, value: unknown) {
  const run = recordedRun(name);
  const found = find(run, record);
  const key = "key" in found ? found.key : null;
  const before = put(found, path, value);
  return { key, before, difference: replayRun(run).differences[0] };
}

type Row = readonly [journal: string, record: string, path: string, value: unknown, what: string];

/** In each the replay comes to the value that was recorded. */
const values: readonly Row[] = [
  ["complete", "delegate", "answer.kind", "requested", "whether a reply asks for tasks"],
  ["split", "delegate", "answer.kind", "replied", "whether a reply asks for tasks"],
  ["split", "changePlan", "answer.added", ["1.1a"], "the change of the plan"],
  ["follow-up", "changePlan", "answer.added", ["9.9"], "the change of the plan"],
  ["prerequisite", "changePlan", "answer.change", "SPLIT_TASK", "the change of the plan"],
  ["retries", "readFailure", "answer.error", "other", "what an attempt has failed with"],
  ["verify-fails", "readFailure", "answer.error", "other", "what an attempt has failed with"],
  ["fixes", "insertFix", "answer.fix", "1.1.9", "the fix task that is written"],
  ["repair-pruned", "recordSkip", "answer.skipped.root", "1.9", "what is left out"],
  ["asked-at-once", "recordSkip", "answer.skipped.justification", "other", "what is left out"],
  ["pull-request", "addPullRequestTask", "answer.task", "5.9", "the task that is added"],
  ["global-limit", "delegate 1.1#3", "answer.max", 7, "the limit that denies"],
  ["cost-limit", "delegate 1.2#1", "answer.max", 7, "the limit that denies"],
  ["cost-limit", "delegate 1.2#1", "answer.task", "1.9", "the limit that denies"],
  ["advised-first", "chooseTask", "answer.guidance", "other", "where task 1.1 stands"],
  ["fix-dropped-killed-6", "chooseTask run#2", "answer.escalation.failures", 7, "where task 1.1 stands"],
  ["cancelled", "chooseTask run#2", "answer.spent.1\\.1.attempts", 7, "where task 1.1 stands"],
  [
    "batch",
    "chooseTask",
    "answer.members.1.spent",
    { "1.2": { attempts: 7, fixes: [], retries: 0 } },
    "where task 1.2 stands",
  ],
  ["cleanup", "recordPass VE3", "answer.open", false, "whether a box stays open"],
  ["verify-fails", "verify", "answer.reason", "other", "what follows from the verdict"],
  ["verify-fails", "verify", "answer.layer", "signal", "what follows from the verdict"],
  ["blocked", "verify", "answer.kind", "accepted", "what follows from the verdict"],
  ["wrong-claims", "verify", "answer.reason", "other", "what follows from the verdict"],
  ["complete", "verify", "judgement.evidence.signal", "blocked", "the signal"],
  ["complete", "verify", "judgement.evidence.contradiction", "other", "the admission"],
  ["long-reply", "verify", "judgement.kind", "accepted", "the verdict on a claim"],
  ["complete", "verify", "judgement.kind", "failed", "the verdict on a claim"],
  ["verify-fails", "verify", "judgement.layers.4.reason", "other", "what layer verify says"],
  ["complete", "verify", "judgement.layers.0.kind", "waived", "what layer signal says"],
  ["complete", "verify", "judgement.layers.3.note", "other", "what layer commit says"],
  ["reviews", "review", "answer.findings", "other", "what follows from a review"],
  ["reviews", "review", "answer.passed", false, "what follows from a review"],
  ["complete", "delegated", "retries", 2, "who is asked"],
  ["complete", "delegated", "task", "1.9", "who is asked"],
  ["whole-ladder", "delegated", "attempt", 9, "who is asked"],
  ["reviews", "delegated 2.1#1/review", "attempt", 9, "who is asked"],
  ["fixes", "intended", "fix.id", "1.1.9.1", "the id of a fix task"],
  ["fixes", "intended", "fix.error", "other", "the fix task for a failure"],
  ["fixes", "intended", "fix.summary", "other", "the fix task for a failure"],
  ["pull-request", "addition", "cause.check", "other", "what a task is added for"],
  ["complete", "ended", "ending.exitCode", 7, "the exit code"],
  ["complete", "ended", "ending.attempts", 9, "the number of delegations"],
  ["cost-limit", "ended", "denial.max", 7, "the outcome"],
  ["blocked", "ended", "ending.error", "other", "the outcome"],
];

/** In each nothing waits for the record. */
const keys: readonly (readonly [journal: string, record: string, key: string])[] = [
  ["complete", "delegate", "1.7#1/delegate"],
  ["complete", "delegated", "1.1#7"],
  ["fixes", "intended", "1.1#7"],
  ["split", "planned", "1.1#7"],
  ["pull-request", "shipping", "pr#7.1/pushBranch"],
  ["pull-request", "addition", "pr#7.6/addPullRequestTask"],
];

/** In each something is taken back that was not there. */
const takenBack: readonly Row[] = [
  ["cancelled", "refunded", "key", "1.1#7", "the attempt that is refunded"],
  ["fix-dropped-killed-6", "dropped", "fix", "1.1.7", "the fix task that is dropped"],
  ["change-withdrawn-killed-4", "withdrawn", "key", "1.1#7", "the change that is withdrawn"],
];

type Change = readonly [record: string, path: string, value: unknown];
type Course = readonly [
  ...[says: string, journal: string, changes: readonly Change[], what: string, expected: unknown, recorded: unknown],
];

const act = (line: string) => ({ tool: "Bash", act: line });
const denies = (asked: string, told: string): readonly Change[] => [
  ["delegate 1.1#1", "reply.denials", [act("ls"), act(asked)]],
  ["readFailure 1.1#1", "answer.denied", act(told)],
];
const judges = (verdict: string, findings: object): readonly Change[] => [
  ["review", "review", { verdict, round: 1, ...findings }],
];
const review = "what follows from a review";
const fromOutside = ["interrupted", "environment", "gate"];
const passed = { kind: "accepted", passed: true, findings: "" };

const courses: readonly Course[] = [
  [
    "a Verify that failed, as accepted",
    "verify-fails",
    [["verify", "answer", { kind: "accepted" }]],
    "what follows from the verdict",
    { kind: "failed", layer: "verify" },
    { kind: "accepted" },
  ],
  [
    "an accepted claim, as a question",
    "complete",
    [["verify", "answer", { kind: "blocked", question: "q" }]],
    "what follows from the verdict",
    { kind: "accepted" },
    { kind: "blocked" },
  ],
  [
    "a question of an executor, as one of the run",
    "blocked",
    [["verify", "answer", { kind: "gate", reason: "r", hint: "h" }]],
    "what follows from the verdict",
    { kind: "blocked" },
    { kind: "gate" },
  ],
  [
    "a command that cannot run, as a question of an executor",
    "verify-cannot-run",
    [["verify", "answer", { kind: "blocked", question: "q" }]],
    "what follows from the verdict",
    { kind: "gate" },
    { kind: "blocked" },
  ],
  [
    "an answer in a form that its effect does not have",
    "complete",
    [["verify", "answer", { kind: "other" }]],
    "the form of the answer",
    expect.any(String),
    { kind: "other" },
  ],
  [
    "a box that was left open",
    "complete",
    [["recordPass", "answer.open", true]],
    "whether a box stays open",
    false,
    true,
  ],
  [
    "an act that no tool has denied",
    "retries",
    denies("npm test", "rm -r src"),
    "what a tool did not allow",
    null,
    act("rm -r src"),
  ],
  [
    "an act that was denied in other words",
    "retries",
    denies("npm test a", "npm test b"),
    "what a tool did not allow",
    act("npm test a"),
    act("npm test b"),
  ],
  [
    "a review that failed, as passed",
    "reviews",
    judges("fail", { code: "a", spec: "b" }),
    review,
    { kind: "failed", findings: "a\nb" },
    passed,
  ],
  [
    "a review that found only the spec not followed",
    "reviews",
    judges("fail", { code: "", spec: "b" }),
    review,
    { kind: "accepted", passed: false, findings: "b" },
    passed,
  ],
  [
    "a review without a verdict",
    "reviews",
    judges("none", { code: "", spec: "" }),
    review,
    { kind: "accepted", passed: false, findings: "the reviewer gave no verdict" },
    passed,
  ],
  [
    "a directive that repeats another",
    "repair-retry",
    [["askOperator 1.1#2", "answer.directive.adjustment", "use the old parser"]],
    "whether a directive may be followed",
    "task 1.1 was retried with this adjustment before",
    null,
  ],
  [
    "a second fix with the number of the first",
    "fixes",
    [["intended 1.1.1#1", "fix.id", "1.1.1"]],
    "the id of a fix task",
    expect.stringMatching(/^1\.1\./),
    "1.1.1",
  ],
  [
    "another limit",
    "cost-limit",
    [["delegate 1.2#1", "answer.limit", "maxTokens"]],
    "the limit that denies",
    { limit: "maxTokens", task: "1.2", max: null },
    { limit: "maxTokens", task: "1.2", max: 1 },
  ],
  [
    "a limit of delegations that was not reached",
    "global-limit",
    [["delegate 1.1#1", "answer", { kind: "denied", limit: "maxGlobalIterations", task: "1.1", max: 2 }]],
    "the limit that denies",
    null,
    { limit: "maxGlobalIterations", task: "1.1", max: 2 },
  ],
  [
    "a command that ran out of its time",
    "verify-fails",
    [
      [
        "verify",
        "verify.result",
        { exitCode: null, stdout: "", stderr: "", durationMs: 5000, timedOut: true, limitMs: 5000 },
      ],
    ],
    "what layer verify says",
    { reason: expect.stringContaining("after 5s") },
    { reason: "Verify failed (exit 1): not ready" },
  ],
  [
    "something left out that nobody has left out",
    "asked-at-once",
    [["ended", "ending.skipped", ["1.1", "1.2"]]],
    "what was left out",
    ["1.1"],
    ["1.1", "1.2"],
  ],
  [
    "an outcome with the exit code of another",
    "complete",
    [["ended", "ending.outcome", "skipped"]],
    "the exit code",
    3,
    0,
  ],
  [
    "an outcome that the charts have not come to",
    "complete",
    [
      ["ended", "ending.outcome", "skipped"],
      ["ended", "ending.exitCode", 3],
    ],
    "the outcome",
    { outcome: "complete" },
    { outcome: "skipped" },
  ],
  [
    "an outcome where the charts are still waiting",
    "interrupted",
    [
      ["ended", "ending.outcome", "skipped"],
      ["ended", "ending.exitCode", 3],
    ],
    "the outcome",
    { outcome: fromOutside, denial: null },
    { outcome: "skipped" },
  ],
];

/** What the journal alone does not tell. */
const taken: readonly (readonly [journal: string, record: string, path: string, value: unknown])[] = [
  ["fixes", "intended", "fix.files", "other.ts"],
  ["fixes", "intended", "fix.verify", "`other`"],
  ["fixes", "intended", "fix.verify", null],
  ["fix-dropped-killed-6", "chooseTask run#2", "answer.escalation.ofAnOlderVersion", 1],
  ["cost-limit", "ended", "ending.error", "in other words"],
  ["verify-fails", "delegate", "reply.text", null],
];

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json));

describe("replayRun, of a recorded run in which one value was changed", () => {
  it.each(values)("%s: tells of %s that %s is now %j, by what it comes to", (journal, record, path, value, what) => {
    const { key, before, difference } = changed(journal, record, path, value);
    expect(difference).toMatchObject({ key, what });
    expect(difference?.recorded).toContain(JSON.stringify(value));
    expect(difference?.expected).toContain(JSON.stringify(before));
  });

  it.each(keys)("%s: tells of %s that nothing waits for %s", (journal, record, key) => {
    const { difference } = changed(journal, record, "key", key);
    expect(difference).toMatchObject({ key, what: "what is asked for" });
    expect(difference?.recorded).toContain(key);
    expect(difference?.expected).not.toContain(key);
  });

  it.each(takenBack)("%s: tells of %s that nothing is known of it", (journal, record, path, value, what) => {
    expect(changed(journal, record, path, value).difference).toMatchObject({
      ...{ what, expected: "true", recorded: "false" },
    });
  });

  it.each(courses)("tells of %s", (_, journal, changes, what, expected, now) => {
    const run = recordedRun(journal);
    for (const [record, path, value] of changes) put(find(run, record), path, value);
    const [difference] = replayRun(run).differences;
    expect({
      ...difference,
      expected: parse(difference?.expected),
      recorded: parse(difference?.recorded),
    }).toMatchObject({
      ...{ what, expected, recorded: now },
    });
  });

  it.each(taken)("%s: takes as recorded what %s says under %s", (journal, record, path, value) => {
    const run = recordedRun(journal);
    put(find(run, record), path, value);
    expect(replayRun(run).differences).toEqual([]);
  });

  it("tells of a delegation at a time that the run no longer had", () => {
    const { starts, ...run } = recordedRun("complete");
    const limited = starts.map((start) => ({ ...start, policy: { ...start.policy, maxRunTime: 100 } }));
    put(find({ starts: limited }, "delegated 1.2#1"), "elapsedMs", 100);
    expect(replayRun({ starts: limited, ...run }).differences).toMatchObject([
      { key: "1.2#1", what: "the limit of the run", expected: '"maxRunTime"', recorded: "null" },
    ]);
  });

  it("asks for nothing next where the last turn differs", () => {
    const run = recordedRun("complete-killed-4");
    const killed = { ...run, starts: run.starts.slice(0, 1) };
    expect(replayRun(killed).next).not.toEqual([]);
    put(find(killed, "delegated"), "attempt", 7);
    expect(replayRun(killed).next).toEqual([]);
  });
});
