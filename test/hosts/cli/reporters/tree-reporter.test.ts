import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../../src/hosts/cli/cli-command.ts";
import type { Reporter } from "../../../../src/hosts/cli/reporters/reporter.ts";
import { treeReporter } from "../../../../src/hosts/cli/reporters/tree-reporter.ts";
import type { TimedRunEvent } from "../../../../src/model/event.ts";
import type { Task } from "../../../../src/model/task.ts";
import { prop } from "../../../support/prop.ts";
import { esc, showOn } from "../fake-screen.ts";
import { type FakeTerminal, fakeTerminal } from "../fake-terminal.ts";
import {
  changeRefused,
  delegated,
  ended,
  failed,
  groupStarted,
  inserted,
  levelChanged,
  notice,
  passed,
  paused,
  personAsked,
  planChanged,
  planned,
  progressed,
  recovery,
  repairChosen,
  repairRefused,
  resumed,
  reviewed,
  skipped,
  started,
  today,
  waiting,
} from "../sample-events.ts";

const tasks = [planned("1.1", "First", { done: true }), planned("1.2", "Second"), planned("1.3", "Third")];

function report(
  events: readonly TimedRunEvent[],
  look: Partial<Terminal> = {},
  plan: readonly Task[] = tasks,
): FakeTerminal {
  const terminal = fakeTerminal({ isTTY: true, columns: 60, ...look });
  const reporter = treeReporter(terminal, plan, "/work");
  for (const event of events) reporter.event(event);
  reporter.close();
  return terminal;
}
const seen = (terminal: FakeTerminal): string => showOn(terminal.rows, terminal.printed.out).screen.join("\n");

describe("treeReporter, while an executor works", () => {
  const begin = () => {
    const terminal = fakeTerminal({ isTTY: true, columns: 90 });
    const reporter = treeReporter(terminal, tasks, "/work");
    for (const event of [started(), delegated("1.2", 1)]) reporter.event(event);
    const row = () =>
      seen(terminal)
        .split("\n")
        .find((line) => line.includes("1.2 Task"));
    return { terminal, reporter, row };
  };

  it("has a clock that moves every second, also for a silent executor", () => {
    const { terminal, row } = begin();
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · 0:00 of 30m");
    terminal.pass(14);
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · 0:14 of 30m");
    terminal.pass(3600);
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · 1:00:14 of 30m");
  });

  it("shows the last action, and lets no foreign text move the cursor", () => {
    const { terminal, reporter, row } = begin();
    reporter.event(progressed("1.2", { tool: "Bash", line: "npm test" }));
    terminal.pass(14);
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · 0:14 of 30m · Bash npm test");
    reporter.event(progressed("1.2", { line: `${esc}[2Ahidden`, seconds: 14 }));
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · 0:14 of 30m · \\x1b[2Ahidden");
  });

  it("shows a running Verify with its own time", () => {
    const { terminal, reporter, row } = begin();
    terminal.pass(20);
    reporter.event(progressed("1.2", { stage: "verify", line: "npm test", at: "2026-01-02T03:04:25.678Z" }));
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · Verify 0:00 of 10m · npm test");
    terminal.pass(5);
    expect(row()).toBe("▶ 1.2 Task 1.2  attempt 1 · Verify 0:05 of 10m · npm test");
  });

  it("shows the running final check until the run ends", () => {
    const { terminal, reporter } = begin();
    for (const event of [passed("1.2", 1), passed("1.3", 1)]) reporter.event(event);
    reporter.event({ type: "check.started", at: new Date(terminal.now()).toISOString(), command: "npm test" });
    const last = () => seen(terminal).trimEnd().split("\n").at(-1);
    terminal.pass(5);
    expect(last()).toBe("3/3 completed, final check · Verify 0:05 of 10m · npm test");
    reporter.event(ended({}));
    expect(seen(terminal)).not.toContain("final check");
  });

  it("shows the path of the output once", () => {
    const { terminal, reporter } = begin();
    const output = (key: string) => ({ output: `/work/specs/demo/.fixpoint/run-1/out/${key}.out` });
    for (const attempt of [2, 3]) reporter.event({ ...delegated("1.2", attempt), ...output(`1.2#${attempt}`) });
    expect(terminal.printed.out.match(/output: .*/g)).toEqual(["output: specs/demo/.fixpoint/run-1/out/1.2#2.out"]);
  });

  it.each([
    ["is over", (reporter: Reporter) => reporter.event(passed("1.2", 1))],
    ["a question is put", (reporter: Reporter) => reporter.hold()],
    ["it is closed", (reporter: Reporter) => reporter.close()],
    ["the run has ended", (reporter: Reporter) => reporter.event(ended())],
  ])("draws nothing after %s", (_, stop) => {
    const { terminal, reporter } = begin();
    stop(reporter);
    const { out } = terminal.printed;
    terminal.pass(5);
    expect(terminal.printed.out).toBe(out);
  });

  it("ignores late events", () => {
    const { reporter, row } = begin();
    reporter.event(passed("1.2", 1));
    const before = row();
    reporter.event(progressed("1.2", { tool: "Bash" }));
    expect(row()).toBe(before);
  });
});

describe("treeReporter, while a question is pending", () => {
  const begin = () => {
    const terminal = fakeTerminal({ isTTY: true, columns: 60 });
    const reporter = treeReporter(terminal, tasks, "/work");
    reporter.event(started());
    reporter.event(delegated("1.2", 1));
    return { terminal, reporter };
  };

  it("draws nothing, and after the answer everything that happened meanwhile", () => {
    const { terminal, reporter } = begin();
    const release = reporter.hold();
    terminal.out("Retry? ");
    const before = terminal.printed.out;
    reporter.event(paused);
    reporter.event(delegated("1.3", 1));
    expect(terminal.printed.out).toBe(before);
    terminal.out("r\n");
    release();
    const screen = seen(terminal);
    expect(screen).toMatch(/\n▶ 1\.2 .*\n○ 1\.3 Third\n1\/3 completed\nRetry\? r\npaused: .*\n✔ 1\.1 First\n/);
    expect(screen.match(/▶ 1\.3/g)).toHaveLength(1);
  });

  it("draws nothing afterwards if nothing happened, and waits for the last of several answers", () => {
    const { terminal, reporter } = begin();
    const before = terminal.printed.out;
    const [first, second] = [reporter.hold(), reporter.hold()];
    first();
    reporter.event(paused);
    expect(terminal.printed.out).toBe(before);
    second();
    expect(seen(terminal)).toContain("paused: ");
    const after = terminal.printed.out;
    reporter.hold()();
    expect(terminal.printed.out).toBe(after);
  });

  it("still reports the end of a run, and nothing after it", () => {
    const { terminal, reporter } = begin();
    const release = reporter.hold();
    reporter.event(paused);
    reporter.event(ended());
    const after = terminal.printed.out;
    expect(seen(terminal)).toContain("paused: ");
    expect(seen(terminal)).toContain("Outcome: ");
    release();
    expect(terminal.printed.out).toBe(after);
  });
});

describe("treeReporter", () => {
  it("draws the plan under the heading", () => {
    expect(seen(report([started()]))).toBe(`Starting execution for 'demo'

Tasks: 1/3 completed
Starting from task 1.2

✔ 1.1 First
○ 1.2 Second
○ 1.3 Third
1/3 completed
`);
  });

  it("redraws in place, with a fix under the task it repairs", () => {
    expect(seen(report(recovery.slice(0, 5)))).toBe(`Starting execution for 'demo'

Tasks: 1/3 completed
Starting from task 1.2

✔ 1.1 First
✖ 1.2 Task 1.2  File not found: src/parser.ts
  ▶ 1.2.1 Fix: File not found: src…  attempt 1 · 0:00 of 30m
○ 1.3 Third
1/3 completed, 1 fix
`);
  });

  it("leaves the final tree in place, notices above it and the summary below", () => {
    expect(seen(report(recovery))).toBe(`Starting execution for 'demo'

Tasks: 1/3 completed
Starting from task 1.2

notice: The executor does not say what it used
✔ 1.1 First
✔ 1.2 Task 1.2  3 attempts, 1 fix
  ✔ 1.2.1 Fix: File not found: src/parser.ts  1 attempt
✔ 1.3 Task 1.3  1 attempt
3/3 completed, 1 fix

Outcome: complete
Tasks: 3 original, 1 fix
Delegations: 5
Time: 3m 12s

ALL_TASKS_COMPLETE
`);
  });

  it("draws the rows once if a notice comes before the start", () => {
    expect(seen(report([notice("Took the spec"), started()]))).toMatch(/^notice: .*\nStarting execution for 'demo'\n/);
  });

  it("counts planned tasks only, and shows a superseded fix as such", () => {
    const group = planned("1", "Part", { isGroup: true });
    const plan = [group, ...tasks, planned("1.4", "Later", { aside: "optional" })];
    const events = [failed("1.2", "no"), inserted("1.2", "1.2.1", 1), inserted("1.2", "1.2.2", 2, "1.2.1")];
    expect(seen(report([started(), ...events], {}, plan))).toContain(`
  ⤳ 1.2.1 fix of 1.2  superseded by 1.2.2
  ○ 1.2.2 fix of 1.2
○ 1.3 Third
○ 1.4 Later
1/3 completed, 2 fixes
`);
  });

  it("shows a fix that an earlier start has superseded as such", () => {
    const plan = [...tasks, planned("1.3.1", "Fix", { fixOf: "1.3" }), planned("1.3.2", "Other", { fixOf: "1.3" })];
    const resumedRun = { ...started(), superseded: ["1.3.1"] } as TimedRunEvent;
    expect(seen(report([resumedRun], {}, plan))).toContain(`
○ 1.3 Third
  ⤳ 1.3.1 Fix
  ○ 1.3.2 Other
1/3 completed, 2 fixes
`);
  });

  it("shows the rows around the current task if the plan is longer than the screen", () => {
    const plan = Array.from({ length: 40 }, (_, index) => planned(`2.${index + 1}`, "Long"));
    const shown = (task: string) => seen(report([delegated(task, 1, "Long")], { rows: 8 }, plan));
    expect(shown("2.20")).toBe(`… 17 above
○ 2.18 Long
○ 2.19 Long
▶ 2.20 Long  attempt 1 · 0:00
○ 2.21 Long
… 19 below
0/40 completed
`);
    expect(shown("2.1")).toMatch(/^\n▶ 2\.1 Long {2}attempt 1 · 0:00\n○ 2\.2 Long\n/);
    expect(shown("2.40")).toMatch(/▶ 2\.40 Long {2}attempt 1 · 0:00\n\n0\/40 completed\n$/);
  });

  it("shows every running task, with what it waits for", () => {
    const events = [
      groupStarted("1.2", "1.3"),
      delegated("1.2", 1, "Second"),
      delegated("1.3", 1, "Third"),
      waiting("1.2", "rate-limit", today(18, 0)),
    ];
    expect(seen(report(events, { columns: 80 }))).toBe(`✔ 1.1 First
◔ 1.2 Second  waiting for the rate limit of the executor until 18:00
▶ 1.3 Third  attempt 1 · 0:00
1/3 completed
`);
  });

  it("shows all running tasks if the plan is longer than the screen", () => {
    const plan = Array.from({ length: 40 }, (_, index) => planned(`2.${index + 1}`, "Long"));
    const events = [delegated("2.3", 1, "Long"), waiting("2.9", "offline", today(9, 0)), delegated("2.20", 1, "Long")];
    expect(seen(report(events, { rows: 13, columns: 80 }, plan))).toBe(`… 2 above
▶ 2.3 Long  attempt 1 · 0:00
… 4 between
○ 2.8 Long
◔ 2.9 Long  waiting for the connection of the executor until 09:00
○ 2.10 Long
… 8 between
○ 2.19 Long
▶ 2.20 Long  attempt 1 · 0:00
○ 2.21 Long
… 19 below
0/40 completed
`);
  });

  it("follows the current task when rows are added above it", () => {
    const plan = Array.from({ length: 40 }, (_, index) => planned(`2.${index + 1}`, "Long"));
    const events = [delegated("2.20", 1, "Long"), failed("2.20", "no"), inserted("2.1", "2.1.1", 1)];
    const fixes = Array.from({ length: 9 }, (_, index) => inserted("2.1", `2.1.${index + 2}`, 1));
    expect(seen(report([...events, ...fixes], { rows: 8 }, plan))).toContain("\n✖ 2.20 Long  no\n");
  });

  it("prints above the tree what no row shows", () => {
    const events = [reviewed("1.2", true, ""), reviewed("1.2", false, "naming"), changeRefused("1.2", "no Verify")];
    expect(seen(report(events))).toBe(`review of 1.2 ended with findings (round 1): naming
refused the plan change that 1.2 requested: no Verify
✔ 1.1 First
○ 1.2 Second
○ 1.3 Third
1/3 completed
`);
  });

  it("shows level, parts and skipped tasks, and counts only tasks of the plan", () => {
    const events = [
      skipped("1.2", "not needed"),
      levelChanged("1.3", "pivot", 1, 3),
      delegated("1.3", 4, "Third"),
      repairChosen("1.3", "decompose", "a | b"),
      delegated("1.3~1", 1, "First half"),
    ];
    expect(seen(report(events))).toBe(`✔ 1.1 First
⊘ 1.2 Second  not needed
▶ 1.3 Third  pivot 1/3, repair: decompose
  ▶ 1.3~1 First half  attempt 1 · 0:00
1/3 completed, 1 skipped
`);
  });

  it("prints above the tree that a run is paused, and unusable answers of a repair operator", () => {
    expect(seen(report([repairRefused("1.2", "no directive"), paused, resumed]))).toBe(
      `cannot use the repair operator's answer about 1.2: no directive
paused: nothing more is delegated until the run is resumed
resumed
✔ 1.1 First
○ 1.2 Second
○ 1.3 Third
1/3 completed
`,
    );
  });

  it("works on a screen of two lines", () => {
    expect(seen(report([delegated("1.2", 1), failed("1.2", "no")], { rows: 2 }))).toBe("✖ 1.2 Task 1.2  no\n");
  });

  it("truncates rows that are wider than the screen", () => {
    const plan = [planned("1.1", "日本語のタイトル")];
    expect(seen(report([delegated("1.1", 1, "日本語のタイトル"), failed("1.1", "never")], { columns: 16 }, plan))).toBe(
      "✖ 1.1 日…  never\n0/1 completed\n",
    );
  });

  it("redraws below output that others print in between", () => {
    const terminal = fakeTerminal({ isTTY: true });
    const reporter = treeReporter(terminal, tasks, "/work");
    reporter.event(delegated("1.2", 1));
    reporter.close();
    terminal.out("Go on? y\n");
    reporter.event(delegated("1.2", 2));
    expect(seen(terminal)).toBe(`✔ 1.1 First
▶ 1.2 Task 1.2  attempt 1 · 0:00
○ 1.3 Third
1/3 completed
Go on? y
✔ 1.1 First
▶ 1.2 Task 1.2  attempt 2 · 0:00
○ 1.3 Third
1/3 completed
`);
  });

  it("prints on standard error why a run stopped", () => {
    expect(report([ended({ outcome: "limit", error: "Max", hint: "Raise it" })]).printed.err).toBe(
      "ERROR: Max\nRaise it\n",
    );
  });

  it("uses colour only if it is enabled", () => {
    const colours = new RegExp(`${esc}\\[\\d+m`);
    expect(report(recovery).printed.out).not.toMatch(colours);
    expect(report(recovery, { colour: true }).printed.out).toContain("\u001b[32m✔\u001b[39m 1.1 First");
  });
});

describe("treeReporter, for every run and every screen", () => {
  const id = fc.constantFrom("1.1", "1.2", "1.3");
  const event = fc.oneof(
    id.map((task) => delegated(task, 1)),
    id.map((task) => failed(task, "no")),
    fc.tuple(id, fc.nat(9)).map(([task, n]) => inserted(task, `${task}.${n}`, 1)),
    fc.constant(notice("noted")),
    id.map((task) => waiting(task, "rate-limit", today(18, 0))),
    id.map((task) => passed(task, 1)),
    id.map((task) => skipped(task, "no")),
    id.map((task) => personAsked(task, "repair")),
    id.map((task) => repairChosen(task, "decompose", "a | b")),
    fc.tuple(id, fc.nat(3)).map(([task, n]) => delegated(`${task}~${n}`, 1)),
    fc.tuple(id, fc.nat(3)).map(([task, n]) => levelChanged(task, "pivot", n, 3)),
    fc
      .tuple(id, fc.constantFrom("SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"), fc.nat(9))
      .map(([task, change, n]) => planChanged(task, change, `${task}.x${n}`, `${task}.y${n}`)),
  );
  const count = /^\d+\/\d+ completed/;

  prop(
    "leaves no part of an earlier frame",
    [fc.array(event, { maxLength: 12 }), fc.integer({ min: 5, max: 20 })],
    (events, rows) => {
      const terminal = report(events, { rows });
      const { history, screen } = showOn(rows, terminal.printed.out);
      const lines = [...history, ...screen];
      expect(lines.filter((line) => count.test(line)).length).toBe(Math.min(1, events.length));
      expect(lines.filter((line) => /[✔○▶◔✖⊘] 1\.1 /u.test(line)).length).toBeLessThanOrEqual(1);
      expect(lines.filter((line) => line === "notice: noted")).toHaveLength(
        events.filter(({ type }) => type === "notice").length,
      );
    },
  );

  prop("I22: prints only its own terminal sequences", [fc.string({ unit: "binary" })], (words) => {
    const events = [
      started(words),
      delegated("1.2", 1, words),
      failed("1.2", words),
      notice(words),
      reviewed("1.2", false, words),
      changeRefused("1.2", words),
      planChanged("1.2", "SPLIT_TASK", words),
      repairChosen("1.3", "decompose", words),
      repairRefused("1.3", words),
      delegated("1.3~1", 1, words),
      skipped("1.3", words),
      levelChanged(words, "pivot", 1, 3),
      ended({ error: words }),
    ];
    const { out } = report(events, { colour: true }).printed;
    const rest = out.replace(new RegExp(`${esc}\\[(?:\\?7[lh]|2K|J|\\d+[Am])|[\r\n]`, "g"), "");
    expect(rest).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});
