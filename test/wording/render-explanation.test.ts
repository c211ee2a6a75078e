import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Considered } from "../../src/model/decision.ts";
import type { StuckReason } from "../../src/model/escalation.ts";
import type { Explanation, Fact, Way } from "../../src/model/explanation.ts";
import { leftOutByPerson } from "../../src/model/stuck-report.ts";
import { renderExplanation, renderWay } from "../../src/wording/render-explanation.ts";
import { renderFact } from "../../src/wording/render-fact.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";

const at = "2026-01-02T03:04:05.678Z";
const about = { at, task: "1.2" } as const;
const bare: Explanation = {
  spec: "demo",
  task: "1.2",
  title: "Second",
  madeFor: null,
  state: "open",
  attempted: true,
  facts: [],
  ways: [],
};

const byBash = { kind: "terminal", terminal: "/dev/pts/3", process: "bash", pid: 4711 } as const;

describe("renderFact", () => {
  const lines = (fact: Fact): string[] => {
    const { head, details } = renderFact(fact);
    return [head, ...details];
  };

  it.each<[Fact, string[]]>([
    [
      { kind: "started", at, start: 2, recovery: ["retry", "fix"], changed: [{ name: "maxCost", from: null, to: 3 }] },
      ["start 2 of the run, with retry, fix", "maxCost: null, now 3"],
    ],
    [
      { kind: "ended", at, start: 1, outcome: "limit", error: "Max\n\nreached", denial: null },
      ["start 1 ended: limit", "Max", "reached"],
    ],
    [
      { kind: "delegated", ...about, role: "verifier", attempt: 2, level: "pivot", executor: 1 },
      ["delegated 1.2 (attempt 2), at level pivot, to executor 2"],
    ],
    [
      {
        kind: "used",
        ...about,
        attempt: 2,
        usage: { inputTokens: 900, outputTokens: 150, costUsd: 0.25 },
        durationMs: 27_000,
      },
      ["used for 1.2 (attempt 2): 27s, $0.25, 1050 tokens"],
    ],
    [
      { kind: "delegated", ...about, role: "reviewer", attempt: 1, level: "normal", executor: 0 },
      ["delegated the review of 1.2 (round 1)"],
    ],
    [
      { kind: "delegated", ...about, role: "operator", attempt: 1, level: "normal", executor: 0 },
      ["asked the repair operator about 1.2 (round 1)"],
    ],
    [
      {
        kind: "judged",
        ...about,
        attempt: 1,
        verdict: "rejected",
        layers: [
          { layer: "signal", kind: "accepted" },
          { layer: "commit", kind: "accepted", note: "not required" },
          { layer: "checkmarks", kind: "rejected", reason: "checkmark mismatch" },
        ],
        evidence: {
          signal: null,
          contradiction: "needs human",
          exitCode: 0,
          ended: "timeout",
          ticked: { set: ["1.3"], cleared: ["1.1"] },
          git: null,
          undeclared: ["b.ts"],
          verify: null,
          reality: null,
        },
        verify: null,
      },
      [
        "verdict on 1.2 (attempt 1): rejected",
        "signal: accepted",
        "commit: accepted: not required",
        "checkmarks: rejected: checkmark mismatch",
        "executor: reported nothing, timeout",
        "boxes: set 1.3, cleared 1.1",
        "its reply also says: needs human",
        "changed, but not named by its Files: b.ts",
      ],
    ],
    [
      { kind: "judged", ...about, attempt: 1, verdict: "accepted", layers: [], evidence: null, verify: null },
      ["verdict on 1.2 (attempt 1): accepted"],
    ],
    [
      {
        kind: "failed",
        ...about,
        attempt: 1,
        failure: { kind: "task", error: "boom", attemptedFix: "none", status: "blocked", fingerprint: "f" },
        signs: { strategy: "s", findings: ["x", "y"], admission: "lost", fileState: null, changed: false },
      },
      ["failed 1.2: boom", "kind task, fingerprint f", "attempted fix: none", "status: blocked"].concat([
        "the files are as they were before the attempt",
        "tried: s",
        "found: x",
        "found: y",
        "admits: lost",
      ]),
    ],
    [
      { kind: "reviewed", ...about, round: 1, passed: false, findings: "- leaks\n- slow" },
      ["review of 1.2 ended with findings (round 1)", "- leaks", "- slow"],
    ],
    [{ kind: "reviewed", ...about, round: 2, passed: true, findings: "" }, ["review of 1.2 passed (round 2)"]],
    [{ kind: "denied", ...about, limit: "maxCost", max: 2 }, ["no further delegation: --max-cost 2 is reached"]],
    [
      { kind: "inserted", ...about, fix: "1.2.1", supersedes: null, attempts: 1, limit: 3 },
      ["fix 1.2.1 inserted below 1.2 (1 of 3)"],
    ],
    [
      { kind: "inserted", ...about, fix: "1.2.2", supersedes: "1.2.1", attempts: 2, limit: 3 },
      ["fix 1.2.2 inserted below 1.2 in place of 1.2.1 (2 of 3)"],
    ],
    [
      {
        kind: "measured",
        ...about,
        progress: { failing: 1, of: null, was: null, change: "first", lost: [], gained: [], best: 1 },
      },
      ["checks of 1.2: 1 failing"],
    ],
    [
      {
        kind: "measured",
        ...about,
        progress: { failing: 4, of: 6, was: 5, change: "progress", lost: ["reads", "writes"], gained: [], best: 4 },
      },
      ["checks of 1.2: 4 of 6 failing, was 5, progress", "no longer failing: reads; writes"],
    ],
    [
      {
        kind: "measured",
        ...about,
        progress: { failing: 5, of: 6, was: 5, change: "moved", lost: ["reads"], gained: ["hides\nit"], best: 4 },
      },
      [
        "checks of 1.2: 5 of 6 failing, was 5, different checks",
        "no longer failing: reads",
        "newly failing: hides\nit",
      ],
    ],
    [
      {
        kind: "measured",
        ...about,
        progress: { failing: 5, of: null, was: 5, change: "same", lost: [], gained: [], best: 5 },
      },
      ["checks of 1.2: 5 failing, was 5, the same checks"],
    ],
    [
      { kind: "repaired", ...about, strategy: "retry", detail: "slowly", budgetLeft: 1 },
      ["repair of 1.2: RETRY: slowly (1 directive left)"],
    ],
    [{ kind: "refused", ...about, what: "repair", reason: "none" }, ["refused the directive for 1.2: none"]],
    [{ kind: "refused", ...about, what: "change", reason: "none" }, ["refused the plan change for 1.2: none"]],
    [
      { kind: "changed", ...about, change: "SPLIT_TASK", added: ["1.3", "1.4"] },
      ["the plan was changed for 1.2: SPLIT_TASK, added 1.3, 1.4"],
    ],
    [{ kind: "reported", ...about, path: "r.md" }, ["report written: r.md"]],
    [
      { kind: "asked", ...about, decidable: true, reason: "why?\nso", hint: "answer" },
      ["a person was asked about 1.2", "why?", "so", "answer"],
    ],
    [{ kind: "told", ...about, words: "use zod" }, ["a program said about 1.2: use zod"]],
    [{ kind: "told", at, task: null, words: "pause" }, ["a program said: pause"]],
    [
      { kind: "told", at, task: null, words: "pause", by: byBash },
      ["a person said: pause (bash, process 4711, at /dev/pts/3)"],
    ],
    [
      {
        kind: "told",
        at,
        task: null,
        words: "pause",
        by: { kind: "program", terminal: null, process: null, pid: null },
      },
      ["a program said: pause (an unknown process)"],
    ],
    [
      {
        kind: "unheard",
        ...about,
        word: "stop",
        key: "1.2#1",
        by: { kind: "program", terminal: null, process: "sh", pid: 4711 },
      },
      ["refused a message from inside the run (1.2#1): stop (sh, process 4711)"],
    ],
    [
      { kind: "waited", ...about, reason: "rate-limit", until: 0 },
      ["1.2 waits until 1970-01-01T00:00:00.000Z (rate-limit); this attempt does not count"],
    ],
    [
      { kind: "waited", ...about, reason: "auth", until: null },
      ["1.2 waits until a person has solved the problem (auth); this attempt does not count"],
    ],
    [{ kind: "skipped", ...about, justification: "gone" }, ["1.2 was skipped: gone"]],
    [{ kind: "skipped", ...about, justification: leftOutByPerson }, ["1.2 was skipped: a person decided so"]],
    [{ kind: "skipped", ...about, justification: null }, ["1.2 is resumed"]],
    [
      { ...{ kind: "ended", at, start: 1, outcome: "interrupted", error: null, denial: null }, by: byBash },
      ["start 1 ended: interrupted, stopped by bash, process 4711, at /dev/pts/3"],
    ],
    [{ kind: "reset", ...about }, ["the counts of 1.2 start again from zero"]],
    [
      {
        kind: "added",
        ...about,
        cause: { kind: "check", check: "CI / a", job: "1", head: "abc" },
        checks: ["CI / a", "b"],
      },
      ["1.2 was added because of red checks at abc: CI / a, b"],
    ],
    [
      { kind: "added", ...about, cause: { kind: "thread", thread: "t", comment: "c", head: "abc" }, checks: [] },
      ["1.2 was added for a comment of a reviewer, at abc"],
    ],
    [
      { kind: "added", ...about, cause: { kind: "conflict", base: "main", baseHead: "b", head: "abc" }, checks: [] },
      ["1.2 was added because abc conflicts with main"],
    ],
    [
      { kind: "refunded", ...about, attempt: 3 },
      ["attempt 3 on 1.2 was stopped before its claim was judged; it does not count"],
    ],
    [
      { kind: "passed", ...about, attempts: 2, fixes: ["1.2.1"], proof: { kind: "proven" } },
      ["passed 1.2 after 2 attempts, with 1 fix, proven"],
    ],
    [
      {
        kind: "passed",
        ...about,
        attempts: 1,
        fixes: [],
        proof: { kind: "unproven", reason: "green before the work" },
      },
      ["passed 1.2 after 1 attempt, unproven: green before the work"],
    ],
  ])("renders %j", (fact, expected) => {
    expect(lines(fact)).toEqual(expected);
  });

  const decided = (passedOver: Considered["passedOver"], stuck: StuckReason | null): Fact => ({
    kind: "decided",
    ...about,
    decision: "exhausted",
    stuck,
    level: "pivot",
    considered: [
      { rung: "retry", limit: "maxTaskIterations", task: "1.2", spent: 3, max: 5, passedOver },
      { rung: "pivot", limit: "maxPivotAttempts", task: "1", spent: 0, max: 3, passedOver: null },
      { rung: "checkpoint", limit: null, task: "1", spent: 0, max: null, passedOver: null },
    ],
    counts: {
      sameErrors: { count: 3, max: 3 },
      unchanged: { count: 5, max: 5 },
      sinceBest: null,
      failures: { count: 10, max: 10 },
      total: { count: 10, max: 10 },
      admission: "i don't know how to",
    },
  });

  it.each([
    [null, "retry: 3 of 5 used (--max-task-iterations)"],
    ["spent", "retry: passed over, 3 of 5 used (--max-task-iterations)"],
    ["stuck", "retry: passed over because the task is stuck, 3 of 5 used (--max-task-iterations)"],
    ["repeated", "retry: passed over because the same approach was tried before, 3 of 5 used (--max-task-iterations)"],
    ["total", "retry: passed over, 10 of 10 attempts (--max-total-attempts), 3 of 5 used (--max-task-iterations)"],
  ] as const)("says why a rung was skipped: %s", (passedOver, line) => {
    expect(lines(decided(passedOver, null))).toEqual([
      "decided for 1.2, at level pivot: nothing is left to try",
      line,
      "pivot: 0 of 3 used (--max-pivot-attempts of 1)",
      "checkpoint: no limit",
      "counted: failed attempts: 10 (limit 10), same error in a row: 3 (stuck at 3), attempts in a row without a file change: 5 (stuck at 5)",
    ]);
  });

  it("omits files that were not examined", () => {
    const fact = decided("spent", null) as Extract<Fact, { kind: "decided" }>;
    const none = { count: 0, max: null };
    expect(
      lines({ ...fact, counts: { ...fact.counts, sameErrors: none, unchanged: none, failures: none } }).at(-1),
    ).toBe("counted: failed attempts: 0, same error in a row: 0");
  });

  it("counts failures without progress if the failures are known, and then ignores equal errors", () => {
    const fact = decided("spent", null) as Extract<Fact, { kind: "decided" }>;
    const counts = { ...fact.counts, sinceBest: { count: 4, max: 5 } };
    expect(lines({ ...fact, counts }).at(-1)).toBe(
      "counted: failed attempts: 10 (limit 10), same error in a row: 3, failures in a row without progress: 4 (stuck at 5), attempts in a row without a file change: 5 (stuck at 5)",
    );
    expect(lines({ ...fact, stuck: "no-progress", counts })).toContain(
      "stuck: 4 failures in a row without fewer red checks (limit 5)",
    );
    const none = { ...counts, sinceBest: { count: 1, max: null } };
    expect(lines({ ...fact, counts: none }).at(-1)).toContain(
      ", failures in a row without progress: 1, attempts in a row",
    );
  });

  it.each([
    ["same-error", "stuck: same error 3 times in a row (limit 3)"],
    ["no-change", "stuck: no file changed in 5 attempts in a row (limit 5)"],
    ["state-again", "stuck: the files are again as they were after an earlier failure"],
    ["strategy-again", "stuck: the same approach was tried before"],
    ["admission", "stuck: the executor admits it: i don't know how to"],
  ] as const)("says why it counts as stuck: %s", (stuck, line) => {
    expect(lines(decided("stuck", stuck))).toContain(line);
  });
});

describe("renderWay", () => {
  it.each<[Way, string]>([
    [{ kind: "first", task: "1.1", command: "c" }, "1.1 comes first: c"],
    [{ kind: "wait", until: null }, "wait: the task is being done"],
    [{ kind: "wait", until: 0 }, "wait until 1970-01-01T00:00:00.000Z"],
    [{ kind: "allow", rung: "fix", flag: "--recovery-mode", command: "c" }, "have fix tasks written: c"],
    [{ kind: "mend", task: "1.1", command: "c" }, "fix 1.1 by hand, then continue (its Verify runs first): c"],
    [{ kind: "tick", task: "1.2", line: null }, "do 1.2 by hand and tick its box"],
    [
      { kind: "edit", task: "1.2", line: 4, command: "c" },
      "change the text of 1.2 in line 4 of tasks.md, and continue: c",
    ],
    [{ kind: "guide", command: "c" }, "advise the executor: c"],
    [{ kind: "decide", decision: "skip", task: "1.2~1", command: "c" }, "skip 1.2~1: c"],
    [{ kind: "decide", decision: "retry", task: "1.2", command: "c" }, "retry the task: c"],
    [
      { kind: "decide", decision: "retry", task: "1.2", others: ["1.3", "1.5"], command: "c" },
      "retry the task, and 1.3, 1.5 with it: c",
    ],
    [{ kind: "answer", hint: "Log in" }, "Log in"],
  ])("renders %j", (way, line) => {
    expect(renderWay(way)).toBe(line);
  });
});

describe("renderExplanation", () => {
  it("names the task of a fix or a part, and one that is gone", () => {
    expect(renderExplanation({ ...bare, task: "1.2.1", madeFor: "1.2" })).toMatch(
      /^1\.2\.1 Second: open\nA fix of 1\.2\.\n/,
    );
    expect(renderExplanation({ ...bare, task: "1.2~1", madeFor: "1.2" })).toMatch(/\nA part of 1\.2\.\n/);
    expect(renderExplanation({ ...bare, title: null })).toBe(
      "1.2 (not in the plan any more): open\n\nThe task is not in the plan any more, so it will not be worked on.\n",
    );
  });

  it("does not repeat the question that ended a start", () => {
    const asked: Fact = { kind: "asked", ...about, decidable: false, reason: "Log in", hint: "Run again" };
    const ended: Fact = { kind: "ended", at, start: 1, outcome: "gate", error: "Log in", denial: null };
    const printed = renderExplanation({ ...bare, state: "gate", facts: [asked, ended] });
    expect(printed.split("Log in")).toHaveLength(2);
    expect(printed).toContain("2. 2026-01-02T03:04:05Z start 1 ended: gate\n");
  });

  it("prints no foreign text that could move a cursor or take a line of its own, for every text", () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const facts: Fact[] = [
          { kind: "told", ...about, words: text },
          { kind: "skipped", ...about, justification: text },
          { kind: "repaired", ...about, strategy: "prune", detail: text, budgetLeft: 0 },
          {
            kind: "measured",
            ...about,
            progress: { failing: 1, of: 1, was: 1, change: "moved", lost: [text], gained: [text], best: 1 },
          },
        ];
        const printed = renderExplanation({ ...bare, title: text, facts, ways: [{ kind: "answer", hint: text }] });
        expect(printed.split("\n")).toHaveLength(12);
        expect(printed).not.toMatch(/(?!\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
