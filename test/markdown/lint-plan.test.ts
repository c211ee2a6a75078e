import { describe, expect, it } from "vitest";
import { lintPlan } from "../../src/markdown/lint-plan.ts";
import { readPlan } from "../../src/markdown/read-plan.ts";

const lint = (text: string) => lintPlan(readPlan(text));
const complete = "  - **Do**: a\n  - **Files**: b\n  - **Done when**: c\n  - **Verify**: `d`\n  - **Commit**: e\n";

describe("lintPlan", () => {
  it("has nothing to say about a complete plan", () => {
    expect(lint(`- [ ] 1.1 One\n${complete}`)).toEqual([]);
  });

  it("names the fields that are missing", () => {
    expect(lint(`- [ ] 1.1 One\n${complete}\n- [ ] 1.2 Two\n  - **Do**: x\n  - **Verify**: y\n`)).toEqual([
      {
        rule: "missing-field",
        severity: "warning",
        line: 8,
        message: "Task `1.2` has no Files, Done when, Commit",
        hint: "Add a bullet below the task for each, e.g. `  - **Verify**: npm test`.",
      },
    ]);
  });

  it("does not ask verification tasks for Files", () => {
    expect(lint(`- [ ] 1.1 [VERIFY] One\n${complete.replace("  - **Files**: b\n", "")}`)).toEqual([]);
  });

  it("does not ask plain checklists for fields", () => {
    expect(lint("- [ ] 1.1 One\n- [ ] 1.2 Two\n")).toEqual([]);
  });

  it("says why a Verify cannot be run", () => {
    expect(lint(`- [ ] 1.1 One\n${complete.replace("`d`", "`d` prints 1")}`)).toMatchObject([
      { rule: "unrunnable-verify", line: 1, message: expect.stringContaining("other text stands beside its code") },
    ]);
  });

  it("sorts by line what the plan itself says among it", () => {
    const found = lint(`- [ ] 1.1 One\n  - **Do**: x\n\n- [ ] 1.1 Two\n${complete}`);
    expect(found.map(({ rule, line }) => [rule, line])).toEqual([
      ["missing-field", 1],
      ["duplicate-id", 4],
    ]);
  });
});
