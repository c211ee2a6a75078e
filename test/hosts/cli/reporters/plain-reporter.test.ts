import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainReporter } from "../../../../src/hosts/cli/reporters/plain-reporter.ts";
import type { TimedRunEvent } from "../../../../src/model/event.ts";
import { prop } from "../../../support/prop.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import {
  askedOperator,
  changeRefused,
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
  personAsked,
  planChanged,
  planned,
  progressed,
  rejected,
  repairChosen,
  repairRefused,
  reviewed,
  skipped,
  started,
  waiting,
} from "../sample-events.ts";

function report(events: readonly TimedRunEvent[]): { out: string; err: string } {
  const terminal = fakeTerminal();
  const reporter = plainReporter(terminal, [], "/work");
  for (const event of events) reporter.event(event);
  reporter.close();
  return terminal.printed;
}

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
      ...{ skipped: [words], superseded: [words] },
      proofs: { proven: 1, checked: 0, unproven: [{ task: words, reason: words }], unverified: [words] },
    }),
  ];

  prop("I22: prints one line per event, without control characters", [text], (words) => {
    const { out, err } = report(foreign(words));
    expect(out.split("\n")).toHaveLength(36);
    expect((out + err).replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  prop("I10: never reports an incomplete run as complete", [text], (words) => {
    const { out, err } = report(foreign(words));
    expect((out + err).split("\n").map((line) => line.trim())).not.toContain("ALL_TASKS_COMPLETE");
  });
});

describe("plainReporter, while an executor works", () => {
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

  it("reports it once a minute, at first with the path of its output", () => {
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

  it("counts the time anew once Verify runs", () => {
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

  it("reports the final check", () => {
    const { terminal, reporter } = begin();
    for (const event of [passed("1.2", 1), passed("1.3", 1)]) reporter.event(event);
    const before = terminal.printed.out;
    reporter.event({ type: "check.started", at: new Date(terminal.now()).toISOString(), command: "npm test" });
    terminal.pass(60);
    expect(terminal.printed.out.slice(before.length)).toBe(
      "final check: npm test\nverifying the plan for 1m (final check): npm test\n",
    );
  });

  it("prints nothing after the run ended", () => {
    const { terminal, reporter, lines } = begin();
    reporter.event(ended({ outcome: "limit" }));
    terminal.pass(200);
    expect(lines()).toEqual([]);
  });
});
