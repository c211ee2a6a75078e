import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { tickTask } from "../../src/markdown/tick-task.ts";

interface Case {
  readonly file: string;
  readonly id: string;
  /** For each task: line, box, parent task, id and title. */
  readonly tasks: readonly string[];
  readonly scanned: readonly [first: number, last: number] | null;
  readonly fix: readonly [after: number, blankBefore: number, blankBehind: number];
  readonly checks?: readonly number[];
  readonly like?: {
    readonly number?: number;
    readonly margin?: string;
    readonly files?: string;
    readonly verify?: string;
  };
}

const cases: readonly Case[] = [
  {
    file: "box-in-step",
    id: "1.4",
    tasks: ["5 [ ] 1.4 Count open and done boxes", "13 [ ] 1.5 Print the report"],
    scanned: [5, 6],
    fix: [11, 1, 0],
    like: { files: "src/count-boxes.ts", verify: "`npm test -- count`" },
  },
  {
    file: "box-in-fence",
    id: "4.2",
    tasks: ["5 [ ] 4.2 Open the pull request", "19 [ ] 4.3 Watch the build"],
    scanned: [5, 10],
    fix: [17, 1, 0],
  },
  {
    file: "heading-behind",
    id: "1.9",
    tasks: ["7 [x] 1.8 Read numbers", "10 [ ] 1.9 All of the reader", "17 [ ] 1.10 Write numbers"],
    scanned: [10, 15],
    fix: [11, 1, 0],
    like: { verify: "`npm test`" },
  },
  {
    file: "rule-behind",
    id: "0.2",
    tasks: ["5 [ ] 0.2 Show the bug twice", "13 [ ] 1.1 Mend it"],
    scanned: [5, 9],
    fix: [7, 0, 0],
    like: { verify: "`npm test -- bug`" },
  },
  {
    file: "id-is-prefix",
    id: "2.12",
    tasks: [
      "5 [x] 2.12.1 Cover the clock",
      "8 [x] 2.12.2 Cover the calendar",
      "11 [ ] 2.12 Cover the rest",
      "14 [ ] 2.13 Raise the limit",
    ],
    scanned: [5, 6],
    fix: [12, 1, 0],
    like: { number: 3, verify: "`npm test`" },
  },
  {
    file: "blank-missing",
    id: "1.1",
    tasks: ["5 [x] 1.1 Check one task and not its group", "9 [ ] 1.2 Write it down"],
    scanned: null,
    fix: [7, 1, 0],
    like: { verify: "`npm test -- gate`" },
  },
  {
    file: "capital-x",
    id: "T002",
    tasks: [
      "5 [x] T001 Create the folders",
      "6 [x] T002 Install the linter",
      "10 [ ] T003 Route by name in src/route.ts",
    ],
    scanned: null,
    fix: [6, 0, 0],
  },
  {
    file: "capital-x-behind",
    id: "T075",
    tasks: [
      "5 [x] T074 Run all scenarios",
      "6 [ ] T075 Raise coverage to 80 %",
      "7 [x] T076 Walk through quickstart.md",
      "8 [ ] T077 Tag the release",
    ],
    scanned: [6, 7],
    fix: [6, 0, 0],
  },
  {
    file: "note-behind",
    id: "V4",
    tasks: ["5 [x] V4 Full local build", "15 [ ] V5 Build of the branch"],
    scanned: [5, 13],
    fix: [9, 1, 0],
    like: { verify: "`npm run check`" },
  },
  {
    file: "sub-tasks",
    id: "1",
    tasks: [
      "3 [ ] 1 Add the template reader",
      "4 [x] 1 > 1.1 Read the variables",
      "7 [ ] 1 > 1.2 Check the variables",
      "10 [ ] 2 Add the template writer",
    ],
    scanned: [3, 3],
    fix: [8, 1, 0],
    like: { number: 3 },
  },
  {
    file: "in-progress-behind",
    id: "8",
    tasks: ["3 [ ] 8 Store the settings", "6 [ ] 9 Show the settings", "8 [ ] 10 Document the settings"],
    scanned: [3, 7],
    fix: [5, 0, 0],
  },
  {
    file: "number-is-prefix",
    id: "7",
    tasks: [
      "3 [x] 6 Checkpoint",
      "4 [ ] 7 Build the screens",
      "5 [ ] 7 > 7.1 Build the list",
      "7 [ ] 7 > 7.2 Test the list",
      "9 [ ] 8 Ship the screens",
    ],
    scanned: [5, 6],
    fix: [8, 0, 0],
    like: { number: 3 },
  },
  {
    file: "checks-inside",
    id: "9",
    tasks: ["3 [ ] 9 Try it by hand", "8 [ ] 10 Write it down"],
    scanned: [3, 3],
    fix: [6, 1, 0],
    checks: [5],
    like: { verify: "`npm start`" },
  },
  {
    file: "checkpoint-behind",
    id: "T001",
    tasks: ["5 [ ] T001 Create the project", "15 [ ] T002 Add src/event.ts"],
    scanned: [5, 9],
    fix: [5, 0, 0],
  },
  {
    file: "optional-box",
    id: "1.2",
    tasks: [
      "3 [ ] 1 Sum the columns",
      "4 [x] 1 > 1.1 Sum one column",
      "6 [ ] 1 > 1.2 Property test of the sum",
      "8 [ ] 2 Print the sums",
    ],
    scanned: null,
    fix: [7, 0, 0],
    like: { margin: "  " },
  },
  {
    file: "task-in-comment",
    id: "1.1",
    tasks: ["18 [ ] 1.1 The way it is done", "20 [ ] 1.2 The next"],
    scanned: [3, 8],
    fix: [19, 0, 0],
    like: { verify: "`true`" },
  },
  {
    file: "open-fence-inside",
    id: "1.1",
    tasks: ["5 [ ] 1.1 Read the log", "10 [ ] 1.2 Write the log"],
    scanned: [5, 7],
    fix: [8, 1, 0],
    like: { verify: "`npm test`" },
  },
  {
    file: "heredoc-unindented",
    id: "4.4",
    tasks: ["5 [ ] 4.4 Open the pull request", "17 [ ] 4.5 Watch the build"],
    scanned: [5, 15],
    fix: [10, 0, 1],
    like: { verify: "`gh pr view`" },
  },
  {
    file: "comment-outdented",
    id: "2.1",
    tasks: ["5 [ ] 2.1 Keep answers for a minute", "11 [ ] 2.2 Drop the oldest"],
    scanned: [5, 5],
    fix: [9, 1, 0],
    like: { files: "src/cache.ts", verify: "`npm test -- cache`" },
  },
  {
    file: "heading-in-item",
    id: "H344624",
    tasks: ["3 [x] H344624 ### Task 3.5: Rank the results", "6 [ ] 3.6 Show the results"],
    scanned: null,
    fix: [4, 1, 0],
    like: { verify: "`npm test -- rank`" },
  },
  {
    file: "underlined",
    id: "1.2",
    tasks: ["3 [ ] 1.2 Add the exporter", "11 [ ] 1.3 Document it"],
    scanned: [3, 9],
    fix: [5, 0, 0],
    like: { verify: "`npm test`" },
  },
  {
    file: "fixes-behind",
    id: "1.3",
    tasks: ["5 [ ] 1.3 Send one file", "8 [x] 1.3.1 Fix: connection refused", "12 [ ] 1.4 Send many files"],
    scanned: [5, 6],
    fix: [10, 1, 0],
    like: { number: 2, verify: "`npm test -- send`" },
  },
];

const plans = new URL("plans/", import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(`${file}.md`, plans), "utf8");

describe.each(cases)("task $id of $file", ({ file, id, tasks, scanned, fix, checks = [], like = {} }) => {
  const text = textOf(file);
  const { number = 1, margin = "", files = ".", verify = "true" } = like;
  const failure = { error: "boom", attemptedFix: "Looked twice", doneWhen: "", files: ".", verify: "true" };
  const made = { id: `${id}.${number}`, fixOf: id, summary: "boom", commit: "fix: boom", ...failure };

  it("is read among the tasks of the plan", () => {
    const read = readPlan(text).tasks.map(({ line, done, parent, id: found, title }) =>
      [line, done ? "[x]" : "[ ]", ...(parent === null ? [] : [parent, ">"]), found, title].join(" "),
    );
    expect(read).toEqual(tasks);
  });

  it("differs from the result of a line scan", () => {
    expect(scan(text, id)).toEqual(scanned);
    expect([...(scanned ?? [])]).not.toEqual([readPlan(text).tasks.find((found) => found.id === id)?.line, fix[0]]);
  });

  it("gets its fix after its block", () => {
    const [after, before, behind] = fix;
    const block = [
      `- [ ] ${made.id} [FIX ${id}] Fix: boom`,
      "  - **Do**: Address the error: boom",
      "    1. Analyze the failure: Looked twice",
      "    2. Review related code in Files list",
      "    3. Implement fix for: boom",
      `  - **Files**: ${files}`,
      '  - **Done when**: Error "boom" no longer occurs',
      `  - **Verify**: ${verify}`,
      "  - **Commit**: `fix: boom`",
    ].map((line) => `${margin}${line}`);
    const blank = (lines: number): string[] => Array.from({ length: lines }, () => "");
    const expected = text.split("\n").toSpliced(after, 0, ...blank(before), ...block, ...blank(behind));
    expect(insertFixTask(text, made)).toBe(expected.join("\n"));
  });

  it("is ticked on its line, and its checks on theirs", () => {
    const task = readPlan(text).tasks.find((found) => found.id === id);
    const expected = text.split("\n").map((line, index) => {
      if (index + 1 !== task?.line && !checks.includes(index + 1)) return line;
      return task?.done ? line.replace(/\[[xX]\]/, "[ ]") : line.replace(/\[[ -]\]/, "[x]");
    });
    expect(tickTask(text, id, task?.done !== true)).toBe(expected.join("\n"));
  });
});

describe("a task with a duplicate id in repeated-id", () => {
  it("is the open one, not the first as for a scan, and refused while both are open", () => {
    const text = textOf("repeated-id");
    expect(scan(text, "4.1")).toEqual([5, 6]);
    expect(readPlan(text).problems).toEqual([]);
    expect(tickTask(text, "4.1")).toBe(text.replace("[ ] 4.1", "[x] 4.1"));
    const open = text.replace("[x] 4.1", "[ ] 4.1");
    expect(readPlan(open).problems).toMatchObject([{ rule: "duplicate-id", line: 13 }]);
    expect(() => tickTask(open, "4.1")).toThrow(expect.objectContaining({ code: "ambiguous-task" }));
  });
});

describe("plans of the line scan", () => {
  it("are all read", () => {
    const others = ["checklist", "kiro", "openspec", "ralph-specum", "spec-kit", "repeated-id"];
    const files = readdirSync(plans).map((name) => name.replace(/\.md$/, ""));
    expect(files.filter((name) => !others.includes(name)).toSorted()).toEqual(cases.map(({ file }) => file).toSorted());
  });
});

function scan(text: string, id: string): [first: number, last: number] | null {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes(`- [ ] ${id}`) || line.includes(`- [x] ${id}`));
  if (first < 0) return null;
  const length = lines.slice(first + 1).findIndex((line) => /- \[[ x]\]|^## Phase/.test(line));
  const block = length < 0 ? lines.slice(first) : lines.slice(first, first + 1 + length);
  return [first + 1, first + 1 + block.findLastIndex((line) => line.trim() !== "")];
}
