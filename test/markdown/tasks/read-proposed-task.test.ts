import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { insertTasks, readProposedTask } from "../../../src/markdown/insert-tasks.ts";
import { InputError } from "../../../src/model/errors.ts";
import { documents, hostileTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const lines = (...all: string[]): string => all.join("\n");
const body = [
  "  - **Do**: Read it",
  "  - **Files**: src/a.ts",
  "  - **Done when**: It is read",
  "  - **Verify**: `npm test`",
  "  - **Commit**: `feat: read`",
];
const fields = {
  do: "Read it",
  files: "src/a.ts",
  doneWhen: "It is read",
  verify: "`npm test`",
  commit: "`feat: read`",
};
const without = (label: string): string[] => body.filter((line) => !line.includes(label));

describe("readProposedTask", () => {
  it("reads a task with its five fields", () => {
    expect(readProposedTask(lines("- [ ] 1.3.1 [P] [VERIFY] Read the block", ...body))).toEqual({
      id: "1.3.1",
      markers: ["P", "VERIFY"],
      title: "Read the block",
      fields,
    });
  });

  it.each<[string, string]>([
    ["blank lines around it", `\n\n${lines("- [ ] 1.3.1 Read", ...body)}\n\n`],
    ["Windows line endings", lines("- [ ] 1.3.1 Read", ...body).replaceAll("\n", "\r\n")],
    ["a heading above it", lines("## Phase 1", "", "- [ ] 1.3.1 Read", ...body)],
    ["another bullet", lines("* [ ] 1.3.1 Read", ...body.map((line) => line.replace("-", "*")))],
    ["fields that are not indented", lines("- [ ] 1.3.1 Read", ...body.map((line) => line.trim()))],
    ["its id in bold", lines("- [ ] **1.3.1** Read", ...body)],
    ["checks inside", lines("- [ ] 1.3.1 Read", ...body, "  - [ ] a check")],
  ])("reads one with %s", (_, markdown) => {
    expect(readProposedTask(markdown)).toEqual({ id: "1.3.1", markers: [], title: "Read", fields });
  });

  it("reads one with a marker that only ends like that of a fix", () => {
    expect(readProposedTask(lines("- [ ] 1.3.1 [HOT-FIX] Read", ...body))).toMatchObject({ markers: ["HOT-FIX"] });
  });

  it("reads steps and a fence unchanged", () => {
    const markdown = lines(
      "- [ ] 1.3.1 Read",
      "  - **Do**:",
      "    1. Open",
      "    2. Close",
      ...without("Do**").filter((line) => !line.includes("Verify")),
      "  - **Verify**:",
      "    ```bash",
      "    npm test",
      "    ```",
    );
    expect(readProposedTask(markdown)).toMatchObject({
      fields: { ...fields, do: "1. Open\n    2. Close", verify: "```bash\n    npm test\n    ```" },
    });
  });

  it.each<[string, string, string]>([
    ["nothing", "", "a proposal contains no task, expected a line `- [ ] <id> <title>`"],
    ["prose", "Read the block", "a proposal contains no task, expected a line `- [ ] <id> <title>`"],
    ["a task in a fence", `\`\`\`\n${lines("- [ ] 1.3.1 Read", ...body)}\n\`\`\``, "a proposal contains no task"],
    ["a task in a quote", `> ${lines("- [ ] 1.3.1 Read", ...body)}`, "a proposal contains no task"],
    [
      "a heading with fields",
      lines("### 1.3.1 Read", ...body.map((line) => line.trim())),
      "a proposal contains no task",
    ],
    [
      "two tasks",
      lines("- [ ] 1.3.1 Read", ...body, "- [ ] 1.3.2 Print", ...body),
      "a proposal contains 2 tasks, expected one",
    ],
    [
      "a task in a task",
      lines("- [ ] 1.3.1 Read", ...body, "  - [ ] 1.3.2 Print"),
      "a proposal contains 2 tasks, expected one",
    ],
    ["a task without an id", lines("- [ ] Read", ...body), "a proposed task has no id"],
    ["a ticked task", lines("- [x] 1.3.1 Read", ...body), "task 1.3.1 is ticked"],
    ["a fix", lines("- [ ] 1.3.1 [FIX 1.3] Read", ...body), "task 1.3.1 has the marker of a fix task"],
    ["a fix after a marker", lines("- [ ] 1.3.1 [P] [fix] Read", ...body), "has the marker of a fix task"],
    ["a task without a title", lines("- [ ] 1.3.1 [P]", ...body), "task 1.3.1 has no title"],
    ["a title that is not seen", lines("- [ ] 1.3.1 \u200B\u202E", ...body), "task 1.3.1 has no title"],
    ["no fields", "- [ ] 1.3.1 Read", "task 1.3.1 has no Do, Files, Done when, Verify, Commit"],
    ["no Do", lines("- [ ] 1.3.1 Read", ...without("Do**")), "task 1.3.1 has no Do"],
    ["no Files", lines("- [ ] 1.3.1 Read", ...without("Files")), "task 1.3.1 has no Files"],
    ["no Done when", lines("- [ ] 1.3.1 Read", ...without("Done")), "task 1.3.1 has no Done when"],
    ["no Verify", lines("- [ ] 1.3.1 Read", ...without("Verify")), "task 1.3.1 has no Verify"],
    ["no Commit", lines("- [ ] 1.3.1 Read", ...without("Commit")), "task 1.3.1 has no Commit"],
    ["an empty Commit", lines("- [ ] 1.3.1 Read", ...without("Commit"), "  - **Commit**: "), "has no Commit"],
    ["a Do of marks", lines("- [ ] 1.3.1 Read", ...without("Do**"), "  - **Do**:", "    1. \u200B"), "has no Do"],
    ["an open fence", lines("- [ ] 1.3.1 Read", "  ```", ...body), "has no Do, Files, Done when"],
  ])("refuses %s", (_, markdown, problem) => {
    expect(readProposedTask(markdown)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe("readProposedTask, for every proposal", () => {
  const label = fc.constantFrom("Do", "Files", "Done when", "Verify", "Commit");
  const bodies = fc.array(
    fc.tuple(label, hostileTexts).map(([name, text]) => `\n  - **${name}**: ${text}`),
    {
      maxLength: 8,
    },
  );
  const proposals = fc.oneof(
    documents,
    fc.tuple(hostileTexts, bodies).map(([title, all]) => `- [ ] 1.3.1 ${title}${all.join("")}`),
    fc.tuple(hostileTexts, fc.constant(body)).map(([title, all]) => `- [ ] 1.3.1 ${title}\n${all.join("\n")}`),
  );

  prop(
    "I13: an accepted task is one open task, which is in a plan with its five fields or is refused",
    [proposals],
    (markdown) => {
      const task = readProposedTask(markdown);
      if ("problem" in task) {
        expect(task.problem).not.toBe("");
        return;
      }
      const plan = "- [ ] 1.3 Three\n  - **Do**: It\n\n- [ ] 1.4 Four\n";
      if (readPlan(plan).tasks.some(({ id }) => id === task.id)) return;
      try {
        const { tasks } = readPlan(insertTasks(plan, { task: "1.3", place: "behind", tasks: [task] }));
        expect(tasks).toHaveLength(3);
        expect(tasks[1]).toMatchObject({ id: task.id, markers: [...task.markers], done: false, fixOf: null });
        expect(Object.keys(tasks[1]?.fields ?? {})).toEqual(["do", "files", "doneWhen", "verify", "commit"]);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    },
  );
});
