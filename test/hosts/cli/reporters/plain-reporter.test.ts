import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainReporter } from "../../../../src/hosts/cli/reporters/plain-reporter.ts";
import type { TimedRunEvent } from "../../../../src/model/event.ts";
import { prop } from "../../../support/prop.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import {
  askedOperator,
  changeRefused,
  decided,
  delegated,
  delegatedReview,
  ended,
  failed,
  fewer,
  groupEnded,
  groupStarted,
  inserted,
  levelChanged,
  notice,
  passed,
  passedUnverified,
  paused,
  personAsked,
  planChanged,
  planned,
  progressed,
  recovery,
  rejected,
  repairChosen,
  repairRefused,
  resumed,
  reviewed,
  skipped,
  started,
  today,
  waiting,
} from "../sample-events.ts";

function report(events: readonly TimedRunEvent[]): { out: string; err: string } {
  const terminal = fakeTerminal();
  const reporter = plainReporter(terminal, [], "/work");
  for (const event of events) reporter.event(event);
  reporter.close();
  return terminal.printed;
}

describe("plainReporter", () => {
  it("tells a run line by line", () => {
    expect(report(recovery)).toEqual({
      out: `Starting execution for 'demo'

Tasks: 1/3 completed
Starting from task 1.2

delegated 1.2 (attempt 1)
failed 1.2: File not found: src/parser.ts
fix 1.2.1 inserted below 1.2 (1 of 3)
delegated 1.2.1 (attempt 1)
passed 1.2.1 after 1 attempt
delegated 1.2 (attempt 2)
rejected 1.2 by checkmarks: checkmark mismatch: expected 1.1, found 1.1, 1.3
delegated 1.2 (attempt 3)
passed 1.2 after 3 attempts, 1 fix
notice: The executor does not say what it used
delegated 1.3 (attempt 1)
passed 1.3 after 1 attempt

Outcome: complete
Tasks: 3 original, 1 fix
Delegations: 5
Time: 3m 12s

ALL_TASKS_COMPLETE
`,
      err: "",
    });
  });

  it.each([
    [delegatedReview("1.2", 2), "delegated the review of 1.2 (round 2)"],
    [reviewed("1.2", true, ""), "review of 1.2 passed (round 1)"],
    [reviewed("1.2", false, "a\nb"), "review of 1.2 ended with findings (round 1): a\\nb"],
    [reviewed("1.2", true, "y".repeat(900)), `review of 1.2 passed (round 1): ${"y".repeat(299)}…`],
    [planChanged("1.2", "SPLIT_TASK", "1.2a", "1.2b"), "split 1.2 into 1.2a, 1.2b"],
    [planChanged("1.2", "ADD_PREREQUISITE", "1.1a"), "added 1.1a before 1.2"],
    [planChanged("1.2", "ADD_FOLLOWUP", "1.2a"), "added 1.2a after 1.2"],
    [changeRefused("1.2", "no Verify"), "refused the change of the plan that 1.2 asks for: no Verify"],
    [groupStarted("1.1", "1.2"), "began 1.1, 1.2 side by side"],
    [groupEnded("1.1", "1.2"), "ended 1.1, 1.2"],
    [askedOperator("1.3", 1), "asked the repair operator about 1.3 (round 1)"],
    [levelChanged("1.3", "pivot", 1, 3), "pivot 1/3 on 1.3: a different approach is asked for"],
    [levelChanged("1.3", "research", 2, 3), "research 2/3 on 1.3: context is gathered first"],
    [levelChanged("1.3", "checkpoint"), "checkpoint on 1.3: nothing is left to try"],
    [levelChanged("1.3", "normal"), "1.3 is not stuck any more"],
    [repairChosen("1.3", "retry", "with the import"), "repair of 1.3: retry (1 left): with the import"],
    [repairChosen("1.3", "escalate", ""), "repair of 1.3: escalate (1 left)"],
    [repairChosen("1.3", "decompose", "d".repeat(900)), `repair of 1.3: decompose (1 left): ${"d".repeat(299)}…`],
    [repairRefused("1.3", "no directive"), "cannot use the repair operator's answer about 1.3: no directive"],
    [skipped("1.3", "not\nneeded"), "skipped 1.3: not\\nneeded"],
    [delegated("1.3~1", 2), "delegated 1.3~1 (attempt 2)"],
    [personAsked("1.3", "repair"), "a person is asked about 1.3: retry, skip or stop"],
    [personAsked("1.3", "checkpoint"), "a person is asked how to go on with 1.3"],
    [personAsked("1.3", "blocked", "Which key?\nOurs?"), "the executor of 1.3 asks a person: Which key? Ours?"],
    [personAsked("1.3", "blocked"), "the executor of 1.3 asks a person"],
    [personAsked("1.3", "blocked", "q".repeat(900)), `the executor of 1.3 asks a person: ${"q".repeat(299)}…`],
    [
      personAsked("1.3", "environment", "the program jq is missing"),
      "a person is asked about the environment: the program jq is missing",
    ],
    [personAsked("1.3", "environment"), "a person is asked about the environment"],
    [inserted("1.3", "1.3.2", 2, "1.3.1"), "fix 1.3.2 inserted below 1.3 in place of 1.3.1 (2 of 3)"],
    [failed("1.3", "boom", fewer), "failed 1.3 (4 of 6 failing, was 5, progress): boom"],
    [failed("1.3", "boom", { ...fewer, was: null, change: "first" }), "failed 1.3: boom"],
    [
      failed("1.3", "boom", { ...fewer, of: null, change: "moved" }),
      "failed 1.3 (4 failing, was 5, different checks): boom",
    ],
    [
      failed("1.3", "boom", { ...fewer, was: 4, change: "same" }),
      "failed 1.3 (4 of 6 failing, was 4, the same checks): boom",
    ],
    [passedUnverified("1.3", 1), "passed 1.3 after 1 attempt, unverified"],
    [passedUnverified("1.3", 2, "1.3.1"), "passed 1.3 after 2 attempts, 1 fix, unverified"],
    [paused, "paused: nothing more is delegated until it is resumed"],
    [resumed, "resumed"],
    [waiting("1.2", "rate-limit", today(18, 0)), "waiting for the rate limit of the executor until 18:00 (task 1.2)"],
    [
      waiting("1.2", "rate-limit", today(42, 0)),
      "waiting for the rate limit of the executor until 2026-01-03 18:00 (task 1.2)",
    ],
    [waiting("1.2", "offline", today(9, 5)), "waiting for the connection of the executor until 09:05 (task 1.2)"],
    [waiting("1.2", "auth", today(9, 5)), "waiting for another executor until 09:05 (task 1.2)"],
    [
      waiting("1.2", "rate-limit", today(18, 0), "429: slow down"),
      "waiting for the rate limit of the executor until 18:00 (task 1.2): 429: slow down",
    ],
  ])("tells %o", (event, line) => {
    expect(report([event])).toEqual({ out: `${line}\n`, err: "" });
  });

  it("leaves it to the end of the run to ask for a person", () => {
    expect(report([waiting("1.2", "auth", null)])).toEqual({ out: "", err: "" });
  });

  it("says nothing of why something was decided", () => {
    expect(report([decided("1.2")])).toEqual({ out: "", err: "" });
  });

  it("names no first task when all are ticked", () => {
    expect(report([started(null)]).out).toBe("Starting execution for 'demo'\n\nTasks: 1/3 completed\n\n");
  });

  it("tells cost, hand-made ticks and skipped tasks when there are any", () => {
    const { out } = report([ended({ outcome: "skipped", costUsd: 1.234, tickedByHand: 2, skipped: ["1.2", "1.3"] })]);
    expect(out).toBe(`
Outcome: skipped
Tasks: 3 original, 1 fix
Delegations: 5
Time: 3m 12s
Cost: $1.23
Done before this run or by hand: 2 tasks
Skipped: 1.2, 1.3
`);
  });

  it("tells fixes that others have taken the place of, and what no command has shown", () => {
    const { out } = report([ended({ unverified: ["1.2", "1.3"], superseded: ["1.2.1", "1.2.2"], skipped: ["1.4"] })]);
    expect(out).toBe(`
Outcome: complete
Tasks: 3 original, 1 fix
Delegations: 5
Time: 3m 12s
Superseded: 1.2.1, 1.2.2
Unverified: 1.2, 1.3 (no command has shown that they are done)
Skipped: 1.4

ALL_TASKS_COMPLETE
`);
    expect(report([ended({ unverified: ["1.2"] })]).out).toContain(
      "Unverified: 1.2 (no command has shown that it is done)",
    );
    expect(report([ended({ unverified: [], superseded: [] })]).out).not.toMatch(/Superseded|Unverified/);
  });

  it("says on standard error why a run stopped, and what to do", () => {
    const error = "Max fix attempts (3) reached for task 1.3\nFix attempts: 1.3.1, 1.3.2, 1.3.3";
    const { out, err } = report([ended({ outcome: "limit", error, hint: "Raise --max-fix-tasks" })]);
    expect(err).toBe(`ERROR: ${error}\nRaise --max-fix-tasks\n`);
    expect(out).not.toContain("ALL_TASKS_COMPLETE");
  });

  it("tells a checkpoint in full, in the lines it has, under its own title", () => {
    const error = "CHECKPOINT - STUCK\n\nAfter 9 failed attempts\u001b[2J\nALL_TASKS_COMPLETE\n\nWhat's Needed:\n- x\r";
    const { out, err } = report([ended({ outcome: "checkpoint", error, hint: "Go on: fixpoint resume demo" })]);
    expect(err).toBe(`CHECKPOINT - STUCK

After 9 failed attempts\\x1b[2J
> ALL_TASKS_COMPLETE

What's Needed:
- x\\r
Go on: fixpoint resume demo
`);
    expect(out).not.toContain("ALL_TASKS_COMPLETE");
  });

  it("tells the question of a gate in the lines it has", () => {
    const error = "Task 1.3 failed its verification: Third\nExpected: it is there\nRetry, skip or stop?";
    const { err } = report([ended({ outcome: "gate", error, hint: "Decide: fixpoint resume demo --decision skip" })]);
    expect(err).toBe(`ERROR: ${error}\nDecide: fixpoint resume demo --decision skip\n`);
  });

  it("says how to go on after an interrupt", () => {
    expect(report([ended({ outcome: "interrupted", error: "aborted" })]).err).toBe(
      "Interrupted. Run again to go on.\n",
    );
  });
});

describe("plainReporter, for every foreign text", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom("\u001b[2J", "\r", "\n", "\nALL_TASKS_COMPLETE\n", "\u0085", "\u2028"),
    ),
  });
  const foreign = (words: string): TimedRunEvent[] => [
    started(words),
    delegated(words, 1, words),
    failed("1.2", words),
    rejected("1.2", words),
    passed("1.2", 1),
    notice(words),
    delegatedReview(words, 1),
    reviewed(words, false, words),
    planChanged(words, "SPLIT_TASK", words, words),
    changeRefused(words, words),
    groupStarted(words),
    groupEnded(words),
    waiting(words, "rate-limit", 0),
    askedOperator(words, 1),
    levelChanged(words, "pivot", 1, 3),
    repairChosen(words, "decompose", words),
    repairRefused(words, words),
    skipped(words, words),
    personAsked(words, "repair"),
    personAsked(words, "blocked", words),
    personAsked("1.2", "environment", words),
    inserted(words, words, 1, words),
    failed(words, words, fewer),
    ended({
      ...{ outcome: "limit", error: words, hint: words },
      ...{ skipped: [words], unverified: [words], superseded: [words] },
    }),
  ];

  prop("I22: prints one line an event, without a control", [text], (words) => {
    const { out, err } = report(foreign(words));
    expect(out.split("\n")).toHaveLength(36);
    expect((out + err).replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  prop("I10: never says that the run is complete when it is not", [text], (words) => {
    const { out, err } = report(foreign(words));
    expect((out + err).split("\n").map((line) => line.trim())).not.toContain("ALL_TASKS_COMPLETE");
  });
});

describe("plainReporter, while somebody is at work", () => {
  const begin = () => {
    const terminal = fakeTerminal();
    const reporter = plainReporter(terminal, [planned("1.2", "Second"), planned("1.3", "Third")], "/work");
    for (const event of [
      started(),
      { ...delegated("1.2", 1), output: "/work/specs/demo/.fixpoint/run-1/out/1.2#1.out" },
      delegated("1.3", 2),
    ]) {
      reporter.event(event);
    }
    const lines = () => terminal.printed.out.split("\n").filter((line) => /ing (?:on )?1/.test(line));
    return { terminal, reporter, lines };
  };

  it("says so once a minute, at first with where what it prints goes", () => {
    const { terminal, reporter, lines } = begin();
    terminal.pass(59);
    expect(lines()).toEqual([]);
    reporter.event(progressed("1.2", { tool: "Bash", line: "npm test" }));
    terminal.pass(1);
    const first = [
      "working on 1.2 for 1m (attempt 1, output: specs/demo/.fixpoint/run-1/out/1.2#1.out): Bash npm test",
      "working on 1.3 for 1m (attempt 2)",
    ];
    expect(lines()).toEqual(first);
    reporter.event(passed("1.3", 1));
    terminal.pass(60);
    expect(lines()).toEqual([...first, "working on 1.2 for 2m (attempt 1): Bash npm test"]);
  });

  it("begins anew with Verify", () => {
    const { terminal, reporter, lines } = begin();
    reporter.event(passed("1.3", 1));
    terminal.pass(30);
    reporter.event(
      progressed("1.2", { stage: "verify", line: "npm test", at: new Date(terminal.now()).toISOString() }),
    );
    terminal.pass(59);
    expect(lines()).toEqual([]);
    terminal.pass(1);
    expect(lines()).toEqual(["verifying 1.2 for 1m (attempt 1): npm test"]);
  });

  it("tells of the final check", () => {
    const { terminal, reporter } = begin();
    for (const event of [passed("1.2", 1), passed("1.3", 1)]) reporter.event(event);
    const before = terminal.printed.out;
    reporter.event({ type: "check.started", at: new Date(terminal.now()).toISOString(), command: "npm test" });
    terminal.pass(60);
    expect(terminal.printed.out.slice(before.length)).toBe(
      "final check: npm test\nverifying the plan for 1m (final check): npm test\n",
    );
  });

  it("says nothing more once the run has ended", () => {
    const { terminal, reporter, lines } = begin();
    reporter.event(ended({ outcome: "limit" }));
    terminal.pass(200);
    expect(lines()).toEqual([]);
  });
});
