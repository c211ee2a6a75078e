import * as fc from "fast-check";
import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { plainLine } from "../../../src/markdown/text/plain-line.ts";
import { addressOf } from "../../../src/model/command-line.ts";
import type { Directive, Repair } from "../../../src/model/directive.ts";
import type { StuckReport } from "../../../src/model/stuck-report.ts";
import {
  isStuckReport,
  questionsOf,
  renderStuckReport,
  reportTitle,
} from "../../../src/wording/report/render-stuck-report.ts";
import { hostileTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";
import { bareReport, fullReport } from "./sample-report.ts";

describe("renderStuckReport", () => {
  it("has every section of the format, filled from the records", () => {
    expect(renderStuckReport(fullReport)).toBe(`# Fixpoint - Stuck Report

**Generated:** 2024-01-15T10:30:00.000Z

**Task:** "Validate the form" (1.3)

**Phase:** Phase 1: Make it work (2/8 tasks done)

## Summary

Fixpoint could not get task 1.3 done on its own: 10 failed attempts, including 3 pivots and 3 research attempts, and 3 attempts side by side. Task 1.3.1, made for it, failed last.

## What Was Attempted

### Original Approach

1. Too many re-renders

### Fix Tasks

- Task 1.3.1

### Repairs

1. **RETRY** (task 1.3) - use npm ci
2. **ESCALATE** (task 1.3) - three forms | Which library is it to be?

### Pivot Attempts

1. **useReducer** - Too many re-renders
2. use \\*refs* - Lost validation state (task 1.3.1)

### Research Findings

1. react-hook-form already in use
2. Zod validation patterns exist

Approaches after research:

1. **react-hook-form** - Timeout

### Race

1. **no library** - Too many re-renders

### Why It's Stuck

The task failed with the same error again and again.

- Failing checks: 2 of 5, 3 after the previous attempt, 1 at best
- Fails: form.test.ts > keeps the state
- Fails: form.test.ts > hides it
- Last error (3 times in a row): Too many re-renders
- Reported status: Blocked, the API key is missing
- Admitted: I don't know how to

## Current State

Files modified:

- src/form.tsx
- src/lib/user.ts

Tests status:

- Verify: \`npm test\`
- Exit code: 1
- Last line: 2 failing

## What Human Needs to Decide

1. To be decided: Which library is it to be?
2. What should be done about this report of the executor: Blocked, the API key is missing
3. The executor says "I don't know how to". Which way should it take?

## How to Resume

- Option 1: Give guidance: \`fixpoint resume signup --guidance "…"\`
- Option 2: Continue without guidance: \`fixpoint resume signup\`
- Option 3: Fix the task yourself, then continue (its Verify runs first): \`fixpoint run signup\`
- Option 4: Skip the task: \`fixpoint resume signup --decision skip\`
- Option 5: End the run: \`fixpoint resume signup --decision stop\`

## Full Error Log

\`\`\`text
Error in validation test:
  ✕ should validate
    Expected: a match
\`\`\`

## Context Files

- State: .ralph-state.json
- Progress: .progress.md
`);
  });

  it.each([
    [{ failures: 10 }, "10 failed attempts"],
    [{ failures: 3, earlier: 10 }, "13 failed attempts (3 since the last answer)"],
  ])("counts all attempts, and those since the last answer: %j", (counts, told) => {
    expect(renderStuckReport({ ...fullReport, ...counts })).toContain(`: ${told}, including `);
  });

  it("says so in a line if nothing is recorded", () => {
    const text = renderStuckReport(bareReport);
    const sections = Object.fromEntries(
      text.split(/^(?=#)/m).map((section) => {
        const [title = "", ...lines] = section.trim().split("\n\n");
        return [title, lines];
      }),
    );
    expect(sections).toEqual({
      "# Fixpoint - Stuck Report": [
        "**Generated:** 2024-01-15T10:30:00.000Z",
        '**Task:** "Validate the form" (1.3)',
        "**Phase:** none (2/8 tasks done)",
      ],
      "## Summary": [
        "Fixpoint could not get task 1.3 done on its own: 1 failed attempt, including 0 pivots and 0 research attempts.",
      ],
      "## What Was Attempted": [],
      "### Original Approach": ["No approach is recorded."],
      "### Pivot Attempts": ["No pivot attempt is recorded."],
      "### Research Findings": ["No finding is recorded."],
      "### Why It's Stuck": ["The remedies of the task are used up."],
      "## Current State": ["Files modified: unknown.", "Tests status: the task's Verify was not run."],
      "## What Human Needs to Decide": ["1. How should task 1.3 continue?"],
      "## How to Resume": [expect.stringContaining("Option 1")],
      "## Full Error Log": ["No error log is recorded."],
      "## Context Files": ["There are none."],
    });
  });

  it("says that no file was changed, and that Verify was ended", () => {
    const verify = { command: "\u200b", exitCode: null, output: " \n" };
    const text = renderStuckReport({ ...fullReport, changed: [], verify });
    expect(text).toContain("\nFiles modified: none.\n");
    expect(text).toContain("\n- Verify: (empty)\n- Exit code: none, a signal or a limit ended it\n\n");
  });

  it("lists 50 files and counts the others", () => {
    const changed = ["", ...Array.from({ length: 51 }, (_, index) => `src/${index}.ts`)];
    const text = renderStuckReport({ ...fullReport, changed });
    expect(text).toContain("Files modified:\n\n- (unnamed)\n- src/0.ts\n");
    expect(text).toContain("- src/48.ts\n- and 2 more\n\nTests status:");
  });

  it.each([
    ["no-progress", "Several attempts in a row did not reduce the number of failing checks."],
    ["no-change", "Attempts in a row changed no file."],
    ["state-again", "The files returned to an earlier state."],
    ["strategy-again", "The executor chose an approach again that had already failed."],
    ["admission", "The executor says that it does not know how to continue."],
  ] as const)("explains %s", (stuck, words) => {
    expect(renderStuckReport({ ...fullReport, stuck })).toContain(`### Why It's Stuck\n\n${words}\n`);
  });
});

describe("renderStuckReport with known checks", () => {
  it.each<[StuckReport["progress"], string]>([
    [{ failing: 1, of: null, was: null, change: "first", lost: [], gained: [], best: 1 }, "1, 1 at best"],
    [{ failing: 4, of: 6, was: null, change: "first", lost: [], gained: [], best: 4 }, "4 of 6, 4 at best"],
    [
      { failing: 4, of: null, was: 5, change: "progress", lost: ["a"], gained: [], best: 3 },
      "4, 5 after the previous attempt, 3 at best",
    ],
  ])("states the last, the previous and the minimum failure count: %j", (progress, told) => {
    const text = renderStuckReport({ ...fullReport, progress, failing: [] });
    expect(text).toContain(`\n- Failing checks: ${told}\n- Last error (`);
  });

  it("lists the first 20, each on a separate line that is no task", () => {
    const failing = ["a\n- [ ] 9.9 Added", "", ...Array.from({ length: 30 }, (_, index) => `check ${index}`)];
    const text = renderStuckReport({ ...bareReport, failing });
    const told = text.split("\n").filter((line) => line.startsWith("- Fails:"));
    expect(told).toHaveLength(20);
    expect(told.slice(2)).toEqual(Array.from({ length: 18 }, (_, index) => `- Fails: check ${index}`));
    expect(readPlan(text).tasks).toEqual([]);
  });

  it("omits unknown facts", () => {
    expect(renderStuckReport(bareReport)).not.toMatch(/Failing checks|Fails:/);
  });
});

const texts = fc.oneof(hostileTexts, fc.string({ unit: "binary", maxLength: 60 }));
const directives: fc.Arbitrary<Directive> = fc.oneof(
  fc.record({ strategy: fc.constant("retry" as const), adjustment: texts }),
  fc.record({ strategy: fc.constant("decompose" as const), parts: fc.array(texts, { minLength: 2, maxLength: 3 }) }),
  fc.record({ strategy: fc.constant("prune" as const), justification: texts }),
  fc.record({ strategy: fc.constant("escalate" as const), tried: texts, decision: texts }),
);
const reports: fc.Arbitrary<StuckReport> = fc.record({
  at: fc.nat(),
  address: texts.map(addressOf),
  task: fc.record({ id: texts, title: texts, current: texts }),
  phase: fc.option(texts),
  done: fc.nat(),
  total: fc.nat(),
  failures: fc.nat(),
  earlier: fc.nat(),
  pivots: fc.nat(),
  researches: fc.nat(),
  races: fc.nat(),
  approaches: fc.array(
    fc.record({
      level: fc.constantFrom("normal", "pivot", "research", "checkpoint"),
      task: texts,
      strategy: fc.option(texts),
      error: texts,
    }),
    { maxLength: 4 },
  ),
  findings: fc.array(texts, { maxLength: 2 }),
  fixes: fc.array(texts, { maxLength: 2 }),
  repairs: fc.array(fc.record({ task: texts, directive: directives }), { maxLength: 2 }),
  stuck: fc.constantFrom(null, "same-error", "no-progress", "admission"),
  lastError: fc.option(texts),
  rejected: fc.option(texts),
  progress: fc.option(
    fc.record({
      failing: fc.integer({ min: 1 }),
      of: fc.option(fc.nat()),
      was: fc.option(fc.nat()),
      change: fc.constantFrom("first", "progress", "moved", "same"),
      lost: fc.array(texts, { maxLength: 2 }),
      gained: fc.array(texts, { maxLength: 2 }),
      best: fc.nat(),
    }),
  ),
  failing: fc.array(texts, { maxLength: 2 }),
  sameErrors: fc.nat(),
  status: fc.option(texts),
  admission: fc.option(texts),
  changed: fc.option(fc.array(texts, { maxLength: 2 })),
  isRerun: fc.boolean(),
  verify: fc.option(fc.record({ command: texts, exitCode: fc.option(fc.nat()), output: texts })),
  errorLog: texts,
  contextFiles: fc.array(fc.record({ name: texts, path: texts }), { maxLength: 2 }),
});

const parse = (text: string): Root =>
  fromMarkdown(text, { extensions: [gfmTaskListItem()], mdastExtensions: [gfmTaskListItemFromMarkdown()] });
const flat = (node: Nodes): Nodes[] => [node, ...("children" in node ? node.children.flatMap(flat) : [])];
const textIn = (node: Nodes): string =>
  flat(node)
    .map((part) => ("value" in part ? part.value : ""))
    .join("");

describe("renderStuckReport, for every report", () => {
  prop("I13: has the headings of the format, in its order, and no task", [reports], (report) => {
    const text = renderStuckReport(report);
    const { children } = parse(text);
    const nodes = children.flatMap(flat);
    const headings = nodes.flatMap((node) =>
      node.type === "heading" ? [`${"#".repeat(node.depth)} ${textIn(node)}`] : [],
    );
    expect(headings).toEqual([
      "# Fixpoint - Stuck Report",
      "## Summary",
      "## What Was Attempted",
      "### Original Approach",
      ...(report.fixes.length > 0 ? ["### Fix Tasks"] : []),
      ...(report.repairs.length > 0 ? ["### Repairs"] : []),
      "### Pivot Attempts",
      "### Research Findings",
      "### Why It's Stuck",
      "## Current State",
      "## What Human Needs to Decide",
      "## How to Resume",
      "## Full Error Log",
      "## Context Files",
    ]);
    const kinds = new Set(nodes.map(({ type }) => type));
    for (const kind of kinds) {
      expect(["heading", "paragraph", "list", "listItem", "text", "strong", "inlineCode", "code"]).toContain(kind);
    }
    expect(nodes.filter((node) => node.type === "listItem" && node.checked != null)).toEqual([]);
    expect(nodes.filter(({ type }) => type === "code").length).toBeLessThanOrEqual(1);
    expect(readPlan(text).tasks).toEqual([]);
    expect(text.match(/^\s*[-*+][ \t]+\[[ xX]\]|<!--|TASK_COMPLETE/m)).toBeNull();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    expect(text.match(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202E]/)).toBeNull();
  });

  prop("I13: titles and errors read as they are", [texts, texts, texts], (title, phase, error) => {
    const task = { id: "1.3", title, current: "1.3" };
    const approaches = [{ level: "pivot" as const, task: "1.3", strategy: "Use a map", error }];
    const { children } = parse(renderStuckReport({ ...fullReport, task, phase, approaches }));
    const paragraphs = children.filter(({ type }) => type === "paragraph").map(textIn);
    const said = (text: string): string => text.replace(/[`\s]/g, "");
    const spoken = (text: string): string => said(plainLine(text, 700));
    expect(said(paragraphs[1] ?? "")).toBe(spoken(`Task:"${title}" (1.3)`));
    expect(said(paragraphs[2] ?? "")).toBe(spoken(`Phase:${phase} (2/8 tasks done)`));
    const list = children.filter(({ type }) => type === "list").map(textIn);
    expect(list.map(said)).toContainEqual(spoken(`Use a map- ${plainLine(error, 300)}`));
  });
});

describe("isStuckReport", () => {
  it.each([`${reportTitle}\n\n**Generated:** now\n`, "# Smart Ralph - Stuck Report\r\n", "\n# Stuck Report"])(
    "is true for %j",
    (text) => {
      expect(isStuckReport(text)).toBe(true);
    },
  );

  it.each(["", "# Readme\n", "Stuck Report\n", "## Stuck Report\n", `${"x".repeat(300)}\n${reportTitle}\n`])(
    "is false for %j",
    (text) => {
      expect(isStuckReport(text)).toBe(false);
    },
  );
});

const escalated = (decision: string): Repair => ({
  task: "1.3",
  directive: { strategy: "escalate", tried: "all", decision },
});

describe("questionsOf", () => {
  it("asks what to do differently if no need was stated", () => {
    const repairs = [escalated(" \u200b"), escalated("")];
    const facts = { ...fullReport, repairs, status: " ", admission: null };
    expect(questionsOf(facts)).toEqual([
      "Task 1.3 fails with: `Too many re-renders`. What should the agent do differently?",
    ]);
  });

  it("states why the last attempt was rejected", () => {
    const rejected = "your last message is empty";
    const facts = { ...fullReport, repairs: [], status: null, admission: null, rejected };
    expect(questionsOf(facts)).toEqual([
      `The last attempt at task 1.3 was rejected: ${rejected}. What should the agent do differently?`,
    ]);
    expect(renderStuckReport(facts)).toContain(`\n- Last attempt rejected: ${rejected}\n`);
  });

  it("asks how the task is to continue if no error is known either", () => {
    expect(questionsOf(bareReport)).toEqual(["How should task 1.3 continue?"]);
    expect(questionsOf({ ...bareReport, lastError: "\n" })).toEqual(["How should task 1.3 continue?"]);
  });

  it("asks each question once, in one line of at most 600 characters", () => {
    const long = `a\nb${"c".repeat(1000)}`;
    const [asked, ...others] = questionsOf({ ...bareReport, repairs: [escalated(long), escalated(long)] });
    expect(asked).toMatch(/^To be decided: a bc+$/);
    expect([asked?.length, others]).toEqual([600, []]);
  });
});
