import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { writePlan } from "../../src/markdown/insert/render-task.ts";
import { readGsd } from "../../src/markdown/read-gsd.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const plan = `---
phase: 01
---
<objective>
Rename the file.

Purpose: order
</objective>

\`\`\`xml
<task type="auto">
  <name>An example</name>
</task>
\`\`\`

<tasks>

<task type="auto" tdd="false">
  <name>Task 1: Rename a.ts to b.ts</name>
  <files>src/a.ts, src/b.ts</files>
  <action>
    \`\`\`
    <task type="auto">
    git mv a b
    \`\`\`
  </action>
  <verify>
    <automated>test ! -f src/a.ts &amp;&amp; test -f src/b.ts</automated>
  </verify>
  <done>It is renamed;
    nothing names a.ts</done>
</task>

<task type="auto">
  <files>
    - \`src/c.ts\`
    - src/d.ts
  </files>
  <verify>The module imports correctly</verify>
</task>

<task type="checkpoint:human-verify" gate="blocking">
  <what-built>The page</what-built>
</task>

<task>
  <name>Build</name>
  <verify>npm run build</verify>
</task>
<task><name>Same line</name></task>
</tasks>
`;
const fieldsOf = (verify: string) => readGsd(`<task>\n<verify>${verify}</verify>\n</task>\n`, "P.md").tasks[0]?.fields;

describe("readGsd", () => {
  it("reads each element as a task that refers to the element", () => {
    const { objective, tasks } = readGsd(plan, "01-PLAN.md");
    expect(objective).toBe("Rename the file.");
    expect(tasks.map(({ title, fields }) => [title, fields.files, fields.verify, fields.doneWhen])).toEqual([
      [
        "Rename a.ts to b.ts",
        "`src/a.ts`, `src/b.ts`",
        "`test ! -f src/a.ts && test -f src/b.ts`",
        "It is renamed;     nothing names a.ts",
      ],
      ["Task 2", "`src/c.ts`, `src/d.ts`", undefined, "The module imports correctly"],
      ["Manual: The page", undefined, undefined, undefined],
      ["Build", undefined, "`npm run build`", undefined],
    ]);
    expect(tasks[0]?.fields.do).toBe(
      "Do the task of lines 18 to 32 of 01-PLAN.md: read all of it there, and do not change that file",
    );
  });

  it.each([
    ['python -c "import a"', '`python -c "import a"`'],
    ["`npm test`", "`npm test`"],
    ["`npm test` shows no error", undefined],
    ["Prompt module imports", undefined],
    ["sorted output is stable", undefined],
    ["<automated>MISSING: no test yet</automated>", undefined],
    ["<automated>pytest</automated>", "`pytest`"],
    ["npm test\nnpm run build", undefined],
    ["<manual>look</manual>", undefined],
    ["", undefined],
  ])("reads from the Verify %j the command %j", (verify, command) => {
    expect(fieldsOf(verify)?.verify).toBe(command);
  });

  it("finds nothing without an element", () => {
    expect(readGsd("# Plan\n\n- [ ] 1 One\n", "P.md")).toEqual({ objective: null, tasks: [] });
    expect(readGsd("<task>\nnever closed\n```\n<task>\n```\n", "P.md").tasks).toEqual([]);
  });

  it("returns tasks that can be written as a plan and read back", () => {
    const { tasks } = readGsd(plan, "01-PLAN.md");
    const written = writePlan("Tasks: [x]", [{ title: "01-PLAN.md: Rename", tasks }]);
    const read = openPlan(written).plan;
    expect(read.problems).toEqual([]);
    expect(read.tasks.map(({ id, title, fields, aside }) => [id, title, fields.verify, aside])).toEqual([
      ["1", "Rename a.ts to b.ts", "`test ! -f src/a.ts && test -f src/b.ts`", undefined],
      ["2", "Task 2", undefined, undefined],
      ["3", "Manual: The page", undefined, "person"],
      ["4", "Build", "`npm run build`", undefined],
    ]);
  });

  prop(
    "writes as many tasks as there are elements, whatever they contain",
    [fc.array(hostileTexts, { maxLength: 4 })],
    (texts) => {
      const source = texts.map((text) => `<task>\n<name>${text}</name>\n<done>${text}</done>\n</task>\n`).join("\n");
      const { tasks } = readGsd(source, "P.md");
      const read = openPlan(writePlan("P", [{ title: "P.md", tasks }])).plan.tasks;
      expect(read.map(({ id, done }) => [id, done])).toEqual(tasks.map(({ id }) => [id, false]));
    },
  );
});

it("takes the files of a task from its tag, and its title from its action", () => {
  const text =
    '<task id="1" files="src/a.ts,src/b.ts" tdd="true">\n  <action>\n    Write a:\n    1. b\n  </action>\n</task>\n';
  expect(readGsd(text, "PLAN-1.md").tasks).toMatchObject([
    { id: "1", title: "Write a:", fields: { files: "`src/a.ts`, `src/b.ts`" } },
  ]);
});

it("reads headings of tasks without boxes if there are no elements", () => {
  const text =
    "# Plan\n\n### Task 1: Write a\n\n**Files:**\n- Create: `a.ts`\n\nStep 1\n\n### Task 2A: [P] Write b\n\nStep 1\n\n## Checklist\n";
  const { tasks } = readGsd(text, "plan.md");
  const place = (lines: string): string =>
    `Do the task of lines ${lines} of plan.md: read all of it there, and do not change that file`;
  expect(tasks).toEqual([
    { id: "1", markers: [], title: "Write a", fields: { files: "- Create: `a.ts`", do: place("3 to 8") } },
    { id: "2", markers: ["P"], title: "Write b", fields: { do: place("10 to 12") } },
  ]);
  const read = openPlan(writePlan("Tasks: it", [{ title: "plan.md", tasks }])).plan;
  expect(read.tasks.map(({ id, title }) => [id, title])).toEqual([
    ["1", "Write a"],
    ["2", "Write b"],
  ]);
});

it("keeps the ids of headings that can be written with a box, and are unique", () => {
  const idsOf = (text: string): string[] => readGsd(text, "plan.md").tasks.map(({ id }) => id);
  expect(idsOf("### Task 1.1: A\n\nDo it\n\n### Task 2.1: B\n\nDo it\n")).toEqual(["1.1", "2.1"]);
  expect(idsOf("### Task 1: A\n\nDo it\n\n### Task 1: B\n\nDo it\n")).toEqual(["1", "2"]);
  expect(idsOf("### Task 1: A\n\nDo it\n\n### Task 2: B\n\n- [ ] b\n\n### Task 3: C\n\n- [x] c\n")).toEqual(["1", "2"]);
  const numbered =
    "## 3.1 Z\n\n## 1. Model\n\n### 1.1 A\n\nDo it\n\n### 1.2 B ✅\n\n### 2.1 C\n\n## Phase 2: Page\n\n### 2.2 D\n";
  expect(idsOf(numbered)).toEqual(["1.1", "2.2"]);
});

it.each(["✅ Task 1: A", "Task 1: A ✔️", "Task 1: A ✅ COMPLETED", "Task 1: A (done)"])(
  "leaves out a done task: %s",
  (title) => {
    const text = `### ${title}\n\nDo it\n\n### Task 2: Say [done], ✅ or not done\n\nDo it\n`;
    expect(readGsd(text, "plan.md").tasks.map(({ id }) => id)).toEqual(["2"]);
  },
);

it("reads numbered headings below a heading of tasks", () => {
  const text =
    "## Implementation Tasks\n\n### 1. ~~Old~~ **SKIPPED**\n\nNo.\n\n### 2. Write b\n\n**File**: `b.ts`\n\n## Order\n\n### 1. First\n";
  expect(readGsd(text, "plan.md").tasks).toMatchObject([{ id: "2", title: "Write b", fields: { files: "`b.ts`" } }]);
});
