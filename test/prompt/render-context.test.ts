import { describe, expect, it } from "vitest";
import type { PlanContext } from "../../src/ports/delegation-parts.ts";
import { renderContext } from "../../src/prompt/render-context.ts";

const nothing: PlanContext = { phase: null, goal: " ", groups: [], documents: [] };
const requirements = `# Requirements

### Requirement 1: Sign in

**User Story:** As a user, I want to sign in.

#### Acceptance Criteria

1. WHEN the name is known THEN a session begins
2. WHEN it is not THEN an error is shown

### Requirement 2: Sign out

**User Story:** As a user, I want to sign out.

1. WHEN I sign out THEN the session ends

- FR-7: Sessions end after an hour
`;
const told = (block: string, text = requirements): string =>
  renderContext({ ...nothing, documents: [{ name: "requirements.md", text }] }, block) ?? "";

describe("renderContext", () => {
  const criteria = "1. One\n   more\n\n2. **Two**\n- **AC3:** Three\nAC #4: Four\n5) Five";
  const accepted = (title: string) => renderContext({ ...nothing, criteria }, `- [ ] Task 1: A ${title}`) ?? "";

  it.each([
    ["(AC: 1)", "1. One\n   more"],
    ["(AC: #2, #5)", "2. **Two**\n5) Five"],
    ["(AC 3-4)", "- **AC3:** Three\nAC #4: Four"],
    ["(AC: #3–#4)", "- **AC3:** Three\nAC #4: Four"],
  ])("quotes the criteria of %s", (title, lines) => {
    expect(accepted(title)).toBe(`Acceptance criteria that the task names:\n\`\`\`markdown\n${lines}\n\`\`\``);
  });

  it("quotes no missing or unnamed criteria", () => {
    expect([accepted("(AC: 9)"), accepted("(AC: all)"), accepted("")]).toEqual(["", "", ""]);
    expect(renderContext(nothing, "- [ ] Task 1: A (AC: 1)")).toBeNull();
  });

  it("shows the checkpoint and the status", () => {
    const told = renderContext({ ...nothing, checkpoint: "**Checkpoint**: It works", status: "ready\nfor" }, "") ?? "";
    expect(told).toContain("Criterion for all tasks below that heading:\n```markdown\n**Checkpoint**: It works\n");
    expect(told).toContain("Status in tasks.md, not to be changed: ready for");
  });

  it("is empty for a task without any context", () => {
    expect(renderContext(nothing, "- [ ] 1 A")).toBeNull();
  });

  it("names the heading, the groups, the text below the heading, and the documents", () => {
    const context = {
      phase: "Phase 1:\nSetup",
      goal: "**Goal**: It starts",
      groups: ["1 Build", "1.1 Core"],
      documents: [
        { name: "spec.md", text: "" },
        { name: "plan.md", text: "" },
      ],
    };
    expect(renderContext(context, "- [ ] 1.1.1 A")).toBe(
      [
        "Below the heading: Phase 1: Setup",
        "Part of: 1 Build > 1.1 Core",
        "Text below that heading:\n```markdown\n**Goal**: It starts\n```",
        "Documents beside tasks.md; read what is relevant to this task: spec.md, plan.md",
      ].join("\n\n"),
    );
  });

  it("quotes the criteria that a task names, with the heading and the story of their requirement", () => {
    expect(told("- [ ] 1.1 A\n  - _Requirements: 1.2_")).toContain(
      [
        "Requirements that the task names:",
        "```markdown",
        "### Requirement 1: Sign in",
        "**User Story:** As a user, I want to sign in.",
        "2. WHEN it is not THEN an error is shown",
      ].join("\n"),
    );
    expect(told("- [ ] 1.1 A\n  - _Requirements: 1.2_")).not.toContain("a session begins");
  });

  it("quotes the whole of a requirement that is named without a criterion", () => {
    expect(told("_Requirements: 2_")).toContain("1. WHEN I sign out THEN the session ends");
    expect(told("_Requirements: 1, 1.2_")).toContain("a session begins");
  });

  it("quotes lines of requirements with names of their own", () => {
    expect(told("Requirements: FR-7")).toContain("- FR-7: Sessions end after an hour");
  });

  it.each([
    ["an id that is in no document", "_Requirements: 9.1_", requirements],
    ["no requirement", "- [ ] A", requirements],
    ["one of a document that is empty", "_Requirements: 1.1_", ""],
  ])("quotes nothing for a task that names %s", (_, block, text) => {
    expect(told(block, text)).not.toContain("Requirements that the task names");
  });

  it("keeps quotes in a fence, within a budget", () => {
    const long = `### Requirement 1: A\n\`\`\`\n${"1. x\n".repeat(5000)}`;
    const text = told("_Requirements: 1_", long);
    expect(text.length).toBeLessThan(5000);
    expect(text).toContain("````markdown");
  });
});
