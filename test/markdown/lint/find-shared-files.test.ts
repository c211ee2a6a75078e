import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findSharedFiles } from "../../../src/markdown/lint/find-shared-files.ts";

const task = (title: string, files: string): string => `- [ ] ${title}\n  - **Files**: ${files}\n`;
const shared = (...parts: string[]) => findSharedFiles(readPlan(parts.join("")).tasks);

describe("findSharedFiles", () => {
  it("reports both tasks and their shared files", () => {
    const found = shared(task("1.1 [P] A", "`a.ts`, `b.ts`"), task("1.2 [P] B", "`./a.ts`, `c.ts`, `b.ts`"));
    expect(found).toMatchObject([
      {
        rule: "shared-file",
        severity: "warning",
        line: 3,
        message: "Tasks `1.1` and `1.2` are both marked [P] and name `a.ts`, `b.ts`",
        hint: "Remove [P] from one of them: tasks that are done at the same time must not write the same file.",
      },
    ]);
  });

  it("compares each with the first task of a file", () => {
    const found = shared(task("1.1 [P] A", "a.ts"), task("1.2 [P] B", "b.ts"), task("1.3 [P] C", "a.ts, b.ts"));
    expect(found.map(({ message }) => message)).toEqual([
      "Tasks `1.1` and `1.3` are both marked [P] and name `a.ts`",
      "Tasks `1.2` and `1.3` are both marked [P] and name `b.ts`",
    ]);
  });

  it("skips fix tasks within a batch", () => {
    expect(
      shared(task("1.1 [P] A", "a.ts"), task("1.1.1 [FIX 1.1] F", "a.ts"), task("1.2 [P] B", "a.ts")),
    ).toHaveLength(1);
  });

  it.each([
    ["an unmarked task", task("1.2 B", "b.ts")],
    ["a verification", task("1.2 [P] [VERIFY] B", "b.ts")],
    ["a heading", "\n## Phase 2\n\n"],
  ])("ends a batch at %s", (_, between) => {
    expect(shared(task("1.1 [P] A", "a.ts"), between, task("1.3 [P] C", "a.ts"))).toEqual([]);
  });

  it.each(["1.1 A", "1.1 [P] [VERIFY] A"])("does not compare a batch with %s above it", (title) => {
    expect(shared(task(title, "a.ts"), task("1.2 [P] B", "a.ts"))).toEqual([]);
  });

  it("reports nothing for tasks without Files", () => {
    expect(shared("- [ ] 1.1 [P] A\n- [ ] 1.2 [P] B\n")).toEqual([]);
  });
});
