import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { lintPlan } from "../../src/markdown/lint-plan.ts";

const complete = "  - **Do**: a\n  - **Files**: b\n  - **Done when**: c\n  - **Verify**: `d`\n  - **Commit**: e\n";

describe("lintPlan", () => {
  it("reports nothing for a complete plan", () => {
    expect(lintPlan(`- [ ] 1.1 One\n${complete}`)).toEqual([]);
  });

  it("lists the missing fields", () => {
    expect(lintPlan(`- [ ] 1.1 One\n${complete}\n- [ ] 1.2 Two\n  - **Do**: x\n  - **Verify**: y\n`)).toEqual([
      {
        rule: "missing-field",
        severity: "warning",
        line: 8,
        message: "Task `1.2` has no Done when, as other tasks have",
        hint: "Add a line below the task, such as `  - **Done when**: The parser reads the sample`.",
      },
    ]);
  });

  it("requires no Files or Commit, no fields of a box without an id, and none of a task without a command", () => {
    const other = complete.replace("  - **Files**: b\n", "").replace(/ {2}- \*\*Commit.*\n/, "");
    expect(lintPlan(`- [ ] 1.1 One\n${complete}- [ ] 1.2 Two\n${other}- [ ] CI passes\n`)).toEqual([]);
    const left = "- [ ] 1.2 Two\n  - **Do**: `a \"$(cat <<'EOF'\n## Three\nEOF\n)\"`\n";
    expect(lintPlan(`- [ ] 1.1 One\n${complete}${left}`)).toMatchObject([{ rule: "open-command" }]);
  });

  it.each([
    ["a checklist", "- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n- [ ] 1.4 Four\n  - **Verify**: a\n"],
    ["spec-kit", `- [ ] T001 [P] [US1] One\n${complete}- [ ] T002 [US1] Two\n`],
  ])("requires no fields of %s", (_, text) => {
    expect(lintPlan(text)).toEqual([]);
  });

  it("reports everything by line", () => {
    const text = `> - [ ] note\n\n- [ ] 1.1 One\n  - **Do**: x\n  - **Verify**: \`true\`\n\n- [ ] 1.1 Two\n${complete}`;
    const found = ["stray-box 1", "missing-field 3", "vacuous-verify 3", "duplicate-id 7"];
    const names = (problems: ReturnType<typeof lintPlan>) => problems.map(({ rule, line }) => `${rule} ${line}`);
    expect(names(lintPlan(text))).toEqual(found);
    expect(names(lintPlan(readPlan(text), { text }))).toEqual(found);
    expect(names(lintPlan(readPlan(text)))).toEqual(found.slice(1));
  });

  it("applies the given severities", () => {
    const text = `- [ ] 1.1 One\n${complete.replace("`d`", "`true`")}\n-[x] 1.2 Two\n`;
    const severities = { "vacuous-verify": "error", "near-miss-task": "off" } as const;
    expect(lintPlan(text, { severities })).toMatchObject([{ rule: "vacuous-verify", severity: "error" }]);
  });
});
