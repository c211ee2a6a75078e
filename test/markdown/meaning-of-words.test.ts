import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { fixEdit } from "../../src/markdown/insert-fix-task.ts";
import { withTicks } from "../../src/model/plan-parts.ts";
import { sampleFix } from "../support/sample-fix.ts";

const asideOf = (text: string): string | undefined => openPlan(text).plan.tasks[0]?.aside;

describe("words of a title", () => {
  it.each([
    "Deferred rendering pass",
    "Optional-chaining support in the parser",
    "Human-readable output for list",
    "User-facing errors",
    "User - CRUD endpoints",
    "Manual (override) switch in the UI",
    "Add endpoint to get user review scores",
    "Create manual test procedure in tests/manual.md",
    "Verify manual registration",
    "Allow manually added rows",
    "Show which fields a task requires - manual or not",
    "Get approval status of an order",
    "Handle events - deferred execution",
    "Admin manually approves orders",
  ])("do not set a task aside if they mean something else: %s", (title) => {
    expect(asideOf(`- [ ] 1.1 ${title}\n`)).toBeUndefined();
  });

  it.each([
    "Human resources module",
    "Deferred loading",
    "Future value of an annuity",
    "Manual memory management",
    "Optional chaining",
    "5. Optional work item fields",
    "Calls (optional arguments)",
    "Calls (with optional arguments)",
  ])("do not set a task aside in a heading if they mean something else: %s", (title) => {
    expect(asideOf(`## ${title}\n\n- [ ] 1.1 Work\n`)).toBeUndefined();
  });

  it.each([
    ["- [ ] 1.1 Manual: look at it", "person"],
    ["- [ ] 1.1 Manual - look at it", "person"],
    ["- [ ] 1.1 **Human**: agree", "person"],
    ["- [ ] 1.1 Manually test the client", "person"],
    ["- [ ] 1.1 Final Manual Testing and Validation", "person"],
    ["- [ ] 1.1 Run the manual smoke test on a phone", "person"],
    ["- [ ] 1.1 Verificar manualmente: abrir a página", "person"],
    ["- [ ] 1.1 Smoke test manual", "person"],
    ["- [ ] 1.1 目視確認", "person"],
    ["- [ ] 1.1 手动测试接口", "person"],
    ["- [ ] 4 检查点 - 端到端测试\n  - 确保所有测试通过\n  - 如有问题请询问用户", "person"],
    ["- [ ] Task: Conductor - User Manual Verification 'Setup'", "person"],
    ["- [~] Task: Conductor - User Manual Verification 'Setup'", "person"],
    ["- [~] 1.1 Later", "deferred"],
    ["- [ ] 1.1 Get user approval.", "person"],
    ["- [ ] 1.1 [Human] Record a video", "person"],
    ["- [ ] T001 [P] [MANUAL] Look at it", "person"],
    ["- [ ] 1.1 [optional] Add a theme", "optional"],
    ["- [ ] 1.1 [DEFERRED] Add a theme", "deferred"],
    ["- [ ] 1.1 添加深色模式 (可选)", "optional"],
    ["- [ ] 1.1 Check the contrast — requires visual inspection", "person"],
    ["- [ ] 1.1 Verificar o contraste — requer inspeção visual pelo usuário", "person"],
    ["- [ ] 1.1 Get approval before implementation", "person"],
    ["- [ ] 1.1 Obtain sign-off", "person"],
    ["- [ ] 1.1 Add a unit test — deferred; no framework yet", "deferred"],
    ["- [ ] 1.1 Deferred: later", "deferred"],
    ["- [ ] 1.1 **Deferred by the maintainer.** More", "deferred"],
    ["- [ ] 1.1 Optional: more tests", "optional"],
    ["## Manual steps\n\n- [ ] 1.1 Look", "person"],
    ["## Deferred\n\n- [ ] 1.1 More", "deferred"],
    ["## ✨ Future Enhancements (Post-MVP)\n\n- [ ] 1.1 More", "deferred"],
    ["## 9. Future work\n\n- [ ] 1.1 More", "deferred"],
    ["## Optional\n\n- [ ] 1.1 More", "optional"],
    ["## Phase 7: Release (Priority: P4 - OPTIONAL)\n\n- [ ] T1 More", "optional"],
    ["### Task 3: Manual smoke test\n\n- [ ] Open the page", "person"],
    ["### Task 3: Speed (Optional)\n\n- [ ] Measure it", "optional"],
    ["### Task 3: Speed (deferred)\n\n- [ ] Measure it", "deferred"],
    ["## 5. Optional follow-ups\n\n- [ ] 5.1 More", "optional"],
    ["## 5. Follow-ups (Optional, not in this change)\n\n- [ ] 5.1 More", "optional"],
    ["## Emotion analysis (optional MVP feature)\n\n- [ ] 1.1 More", "optional"],
    ["## Phase 6: Login (Future)\n\n- [ ] More", "deferred"],
    ["### Low — Deferred to Phase 2\n\n- [ ] More", "deferred"],
    ["## Phase 6: Future enhancements\n\n- [ ] More", "deferred"],
    ["- [ ] AC3: RT manually reviews the table", "person"],
    ["- [ ] [Review][Decision] Keep both forms", "person"],
    ["## Work\n\n**Manual steps:**\n\n- [ ] Look", "person"],
    ["## Work\n\nOptional:\n- [ ] More", "optional"],
  ])("set a task aside if they say so: %j", (text, aside) => {
    expect(asideOf(`${text}\n`)).toBe(aside);
  });
});

it("a task in progress of Conductor is not set aside", () => {
  expect(asideOf("- [~] Task: Write the parser\n")).toBeUndefined();
});

describe("criteria", () => {
  const criteriaOf = (text: string): string[] =>
    openPlan(text).plan.tasks.flatMap(({ aside, title }) => (aside === "criterion" ? [title] : []));

  it("are numbered boxes below a heading of criteria, unless they are all there is", () => {
    expect(criteriaOf("- [ ] 1.1 A\n\n## Success Criteria\n\n- [ ] 4 files exist\n- [ ] 5 Exist\n")).toEqual([
      "4 files exist",
      "Exist",
    ]);
    expect(criteriaOf("## Success Criteria\n\n- [ ] 1. Add\n- [ ] 2. Test\n")).toEqual([]);
  });

  it("may have an id that names a criterion", () => {
    const text = "## Acceptance Criteria\n\n- [ ] AC1: Fast\n- [ ] DOD-2 Small\n\n## Work\n\n- [ ] T1: Build\n";
    expect(criteriaOf(text)).toEqual(["Fast", "Small"]);
  });

  it("are not recognized by a heading that only mentions them", () => {
    expect(criteriaOf("## 実装：完了条件と制約\n\n- [ ] 1. 甲\n- [ ] 1.1 乙\n")).toEqual([]);
    expect(criteriaOf("- [ ] 1.1 乙\n\n## タスク完了条件\n\n- [ ] 甲\n")).toEqual(["甲"]);
  });

  it("are boxes of a checklist that checks", () => {
    const text = "- [ ] 1.1 A\n\n## Security Compliance Checklist\n\n- [ ] Input validation\n";
    expect(criteriaOf(text)).toEqual(["Input validation"]);
  });

  it("are boxes below a line that names them, up to the next line of text", () => {
    const text = "- [ ] Do\n\n## Last\n\n**Test Checklist:**\n- [ ] Fast\n- [ ] Small\n\nThen:\n\n- [ ] Tell\n";
    expect(criteriaOf(text)).toEqual(["Fast", "Small"]);
    expect(criteriaOf(text.replace("**Test Checklist:**", "Acceptance criteria:"))).toEqual(["Fast", "Small"]);
    expect(criteriaOf(text.replace("**Test Checklist:**", "They have acceptance criteria"))).toEqual([]);
  });

  it("are boxes of a verification beside headings with steps, however many", () => {
    const text = "## Task 1: A\n\n- [ ] a\n\n## Final Verification\n\n- [ ] `npm test`\n- [ ] `npm run lint`\n";
    expect(criteriaOf(text)).toEqual(["`npm test`", "`npm run lint`"]);
  });

  it("are no headings of tasks that a section of criteria contains by its level", () => {
    expect(criteriaOf("## Success Criteria\n\nNone.\n\n### Task 1: A\n\n- [ ] Write\n")).toEqual([]);
  });

  it("are the only boxes of a plan whose tasks are headings without boxes", () => {
    expect(criteriaOf("### Task 1: A\n\nAdd it\n\n## Success Criteria\n\n- [ ] Fast\n")).toEqual(["Fast"]);
  });

  it("are boxes beside headings whose steps are most of the boxes", () => {
    const tasks = [1, 2, 3].map((n) => `### Task ${n}: A\n\n- [ ] Test\n- [ ] Write\n- [ ] Commit\n\n`).join("");
    expect(criteriaOf(`${tasks}## Operator steps\n\n- [ ] Restart\n- [ ] Watch\n`)).toEqual(["Restart", "Watch"]);
  });

  it("are boxes below a heading of criteria, also in a plan without ids", () => {
    expect(criteriaOf("## Work\n\n- [ ] Build\n\n## Success Criteria\n\n### Speed\n\n- [ ] Fast\n")).toEqual(["Fast"]);
    expect(criteriaOf("## 开发\n\n- [ ] 编写\n\n## 验收标准\n\n- [ ] 通过\n")).toEqual(["通过"]);
    expect(criteriaOf("- [ ] Do\n\n## Success Metrics\n\n- [ ] Fast\n")).toEqual(["Fast"]);
    expect(criteriaOf("- [ ] Do\n\n### File List\n\n- [ ] `a.ts`\n")).toEqual(["`a.ts`"]);
    expect(criteriaOf("- [ ] Do\n\n# Success Criteria\n\n- [ ] Fast\n")).toEqual(["Fast"]);
    expect(criteriaOf("- [ ] Do\n\n## Risk Assessment\n\n- [ ] It may be slow\n")).toEqual(["It may be slow"]);
    expect(criteriaOf("- [ ] Fazer\n\n## Checklist de Aprovação\n\n- [ ] Prazo\n")).toEqual(["Prazo"]);
    expect(criteriaOf("- [ ] Faire\n\n## Critères d'acceptation\n\n- [ ] Vite\n")).toEqual(["Vite"]);
  });

  it("are tasks if a plan has nothing else", () => {
    expect(criteriaOf("## Acceptance Criteria\n\n- [ ] Fast\n")).toEqual([]);
    const most = "- [ ] Fast\n".repeat(4);
    expect(criteriaOf(`## A\n\n### Acceptance Criteria\n\n${most}\n## Later\n\n- [ ] Tell\n`)).toEqual([]);
  });

  it.each([
    [
      "# Story 1.3: Add it\n\nIn `a`.\n\n## Definition of Done\n\n- [ ] Works\n- [x] Tested\n\n## Notes\n\nNone.\n",
      "1.3",
      2,
    ],
    [
      "# Mend `a`\n\n## Success Criteria\n\n- [ ] 1. Works\n\n### Speed\n\n- [ ] Fast\n- [ ] Small\n- [ ] AC1: Old\n\n## Needs\n\n- [x] B\n",
      "H744292",
      5,
    ],
  ])("are the steps of one task, the title of the plan, if a plan has hardly anything else: %j", (text, id, boxes) => {
    const document = openPlan(text);
    expect(document.plan.tasks.map((task) => [task.id, task.boxes?.length, task.done])).toEqual([[id, boxes, false]]);
    const { after } = fixEdit(document, { ...sampleFix, id: `${id}.1`, fixOf: id });
    expect(after.plan.tasks.map((task) => [task.id, task.fixOf])).toEqual([
      [id, null],
      [`${id}.1`, id],
    ]);
    expect(withTicks(document, [true])).toBe(text.replaceAll("[ ]", "[x]"));
  });

  it("are no steps of one task beside headings or boxes that are tasks", () => {
    const done = "## Definition of Done\n\n- [ ] Works\n";
    expect(criteriaOf(`# Plan\n\n### Task 1: A\n\nAdd it\n\n${done}`)).toEqual(["Works"]);
    expect(openPlan(`# Plan\n\n${done}- [ ] T001 Check it\n`).plan.tasks.map(({ id }) => id)).toHaveLength(2);
    expect(openPlan(`# Definition of Done\n\n- [ ] Works\n- [ ] Fast\n`).plan.tasks).toHaveLength(2);
  });

  it("are not recognized by the title of a plan", () => {
    expect(criteriaOf("# Completion criteria of the parser\n\n## Work\n\n- [ ] A\n\n# B\n\n- [ ] C\n")).toEqual([]);
  });

  it("are the findings of a review below the tasks of a story", () => {
    const text = "## Tasks / Subtasks\n\n- [ ] Task 1: A\n  - [ ] a\n\n## QA Results\n\n- [ ] Rename b\n- [ ] Cut c\n";
    expect(criteriaOf(text)).toEqual(["Rename b", "Cut c"]);
    expect(openPlan(text).plan.dialect).toBe("bmad");
  });
});

it.each([
  [
    "- [ ] 8 QA\n  - [ ] 8.1 Manual testing:\n    - [ ] 8.1.1 Look\n  - [ ] 8.2 Run\n",
    [null, "person", "person", null],
  ],
  ["- [ ]* 3. More\n- [ ] 3.1 Test it\n- [ ] 4. Rest\n", ["optional", "optional", null]],
])("nested tasks are set aside with their parent: %j", (text, asides) => {
  expect(openPlan(text).plan.tasks.map(({ aside = null }) => aside)).toEqual(asides);
});

it("bold that begins before an id continues in the title", () => {
  const titles = openPlan("- [ ] **1.0 Set up** (once)\n- [ ] **1.1** b **c**\n- [ ] **T2 [P]** d **e**\n").plan.tasks;
  expect(titles.map(({ title }) => title)).toEqual(["**Set up** (once)", "b **c**", "d **e**"]);
});

it("a number that counts is no id of a step", () => {
  const text = "- [ ] T10: Check\n  - [ ] 7 tables exist\n  - [ ] 11 migrations ran\n  - [ ] T10.1 Report\n";
  expect(openPlan(text).plan.tasks.map(({ id, boxes, isGroup }) => [id, boxes?.length, isGroup])).toEqual([
    ["T10", 3, undefined],
    ["T10.1", undefined, undefined],
  ]);
});

it("open steps are listed with their reason", () => {
  const text = "- [ ] 1.1 A\n  - [ ] a\n  - [ ] b (deferred)\n- [x] 1.2 B\n  - [ ] c\n  - [x] d\n";
  expect(openPlan(text).plan.tasks.map(({ left }) => left)).toEqual([["deferred"], ["step"]]);
});

it("boxes below Status Markers are no tasks, whatever their numbers", () => {
  const text =
    "- [x] 1. Set up\n- [ ] 2. Build it\n\n## Status Markers\n\n- [x] 1 Baseline reconciled\n- [x] 2 Outcomes validated\n";
  const { tasks, problems } = openPlan(text).plan;
  expect(tasks.map(({ id, aside = null }) => [id, aside])).toEqual([
    ["1", null],
    ["2", null],
    ["1", "criterion"],
    ["2", "criterion"],
  ]);
  expect(problems).toEqual([]);
});

describe("headings that are tasks", () => {
  const idsOf = (text: string) =>
    openPlan(text).plan.tasks.map(({ id, aside }) => (aside === undefined ? id : `${id} ${aside}`));

  it("include a step whose title begins like an id", () => {
    const text = "### Task 1: A\n\n- [ ] Write it\n- [ ] 404 page\n- [ ] Commit\n\n### Task 2: B\n\n- [ ] Write\n";
    expect(idsOf(text)).toEqual(["1", "2"]);
    expect(openPlan(text).plan.problems).toEqual([]);
  });

  it("are no tasks if tasks below them have the boxes", () => {
    expect(idsOf("## Task 1: A\n\n### Task 1.1: B\n\n- [ ] a\n\n### Task 1.2: C\n\n- [ ] b\n")).toEqual(["1.1", "1.2"]);
  });

  it("may have a letter after the number, an emoji before it, or a word of another language", () => {
    expect(idsOf("### Task 3: A\n\n- [ ] a\n\n### Task 3b: B\n\n- [ ] b\n")).toEqual(["3", "3b"]);
    expect(openPlan("### Task 3A: Move it\n\n- [ ] a\n").plan.tasks).toMatchObject([{ id: "3A", title: "Move it" }]);
    expect(idsOf("## P1 Task 1: A\n\n### Acceptance Criteria\n\n- [ ] a\n")).toEqual(["1"]);
    expect(idsOf("### ✅ Task 1: A\n\n- [ ] a\n")).toEqual(["1"]);
    expect(idsOf("#### 任务 1.1：写\n\n- [ ] 甲\n\n#### 任务 1.2：读\n\n- [ ] 乙\n")).toEqual(["1.1", "1.2"]);
  });

  it.each(["### T001 [P] [US1] Write it", "### T001: [P] [US1] Write it", "### T001: [US1] Write it [P]"])(
    "may have markers: %s",
    (heading) => {
      const [task] = openPlan(`${heading}\n\n- [ ] a\n`).plan.tasks;
      expect(task).toMatchObject({ id: "T001", title: "Write it" });
      expect([...(task?.markers ?? [])].sort()).toEqual(["P", "US1"]);
    },
  );

  it("may have letters in their numbers, or only a letter", () => {
    const text = "## Task B1: A\n\n- [ ] a\n\n## Task N-1: B\n\n- [ ] b\n\n## Task N: C\n\n- [ ] c\n";
    expect(idsOf(text)).toEqual(["B1", "N-1", expect.stringMatching(/^H\d{6}$/)]);
    expect(idsOf("# Tasks: A\n\n- [ ] 1.1 B\n")).toEqual(["1.1"]);
  });

  it("are all those with a list of criteria, if such lists have nearly all boxes", () => {
    const proof = "As a user\n\n**Acceptance Criteria:**\n- [ ] Works\n- [ ] Is fast\n\n";
    const stories = `## Epic 0: Start\n\n### Story 0.1: A\n\n${proof}### US-002: B\n\n${proof}### 2.1 C\n\n${proof}`;
    const text = `${stories}### D\n\n${proof}## Definition of Done\n\n- [ ] All pass\n`;
    expect(openPlan(text).plan.tasks.map(({ id, title, boxes }) => [id, title, boxes?.length])).toEqual([
      ["0.1", "A", 2],
      ["US-002", "B", 2],
      ["2.1", "C", 2],
      [expect.any(String), "D", 2],
      [expect.any(String), "All pass", undefined],
    ]);
    expect(idsOf(`- [ ] 1.1 A\n- [ ] 1.2 B\n\n### US-002: B\n\n${proof}`)).not.toContain("US-002");
  });

  it("may be numbered, or phases, with a list of criteria", () => {
    const proof = "**Acceptance:**\n- [ ] Works\n\n";
    expect(idsOf(`- [ ] a\n- [ ] b\n\n### 1. A\n\n${proof}### Phase 2: B\n\n${proof}`).slice(2)).toEqual(["1", "2"]);
  });

  it("are tasks for `init` if most of them have no boxes", () => {
    const text = "### Task 1: A\n\nStep 1\n\n### Task 2: B\n\nStep 1\n\n## Checks\n\n- [ ] 3.1 Look\n";
    expect(openPlan(text).plan.problems.map(({ rule }) => rule)).toContain("no-tasks");
    expect(openPlan(`${text}- [ ] 3.2 Test\n`).plan.problems.map(({ rule }) => rule)).not.toContain("no-tasks");
  });

  it("may be phases whose boxes are criteria, some of them for a person", () => {
    const phase = (n: number): string =>
      `## Phase ${n}: A\n\nWrite it.\n\n### Success Criteria:\n\n#### Automated Verification:\n\n- [ ] Tests pass\n\n#### Manual Verification:\n\n- [ ] It looks right ${n}\n\n`;
    const { tasks } = openPlan(phase(1) + phase(2)).plan;
    expect(tasks.map(({ title, aside }) => [title, aside])).toEqual([
      ["A", undefined],
      ["It looks right 1", "person"],
      ["A", undefined],
      ["It looks right 2", "person"],
    ]);
    expect(idsOf("## Phase 1: A\n\n#### Tasks:\n\n1. Write it\n\n#### Tests:\n\n- [ ] It works\n")).toEqual(["1"]);
    expect(idsOf("## Phase 1: A\n\n- [ ] a\n")).not.toContain("1");
    expect(idsOf("## Phase 1: Verification\n\n- [ ] a\n")).not.toContain("1");
    expect(idsOf("# Phase 1: A\n\n## Exit criteria\n\n- [ ] a\n")).not.toContain("1");
  });

  it("may be numbered, with steps that are numbered, too", () => {
    const text =
      "## First\n\n### 1. Log in\n\n1. [ ] Open\n2. [ ] Click\n\n### 2. Look (Optional)\n\n1. [ ] Read\n\n### 3. Log out\n\n1. [ ] Click\n\n## View\n\n- [ ] Log in\n";
    expect(openPlan(text).plan.tasks.map(({ id, title, aside }) => [id, title, aside])).toEqual([
      ["1", "Log in", undefined],
      ["2", "Look (Optional)", "optional"],
      ["3", "Log out", undefined],
      [expect.any(String), "Log in", "criterion"],
    ]);
    expect(idsOf("## 1. Setup\n\n- [ ] Write\n\n## 2. Work\n\n- [ ] Test\n")).not.toContain("1");
  });

  it("may be numbered below a heading of tasks, with criteria as the only boxes", () => {
    const text =
      "## Tasks\n\n### 1. Write a\n\nIn `a`.\n\n### 2. Test a\n\nAll.\n\n## Verification Checklist\n\n- [ ] Runs\n";
    expect(openPlan(text).plan.tasks.map(({ aside }) => aside)).toEqual(["criterion"]);
    expect(openPlan(text).plan.problems.map(({ rule, line }) => [rule, line])).toEqual([
      ["no-tasks", 1],
      ["heading-task", 3],
      ["heading-task", 7],
    ]);
  });

  it("do not make a criterion of a box below another heading: it is a task", () => {
    const found = idsOf("## Task 1: A\n\n- [ ] a\n\n## Final check\n\n- [ ] Run all tests\n");
    expect(found).toHaveLength(2);
    expect(found.some((each) => each.endsWith("criterion"))).toBe(false);
  });

  it("have the fields of their own section, also if lines end with a carriage return", () => {
    const text = "Verify: none\r\r- **Verify**: `false`\r\r### Task 1: A\r\r- **Verify**: `true`\r\r- [ ] a\r";
    expect(openPlan(text).plan.tasks.find(({ id }) => id === "1")?.fields.verify).toBe("`true`");
  });

  it("are ticked and cleared with a fix between their boxes", () => {
    const text = "### Task 1: A\n\n- [ ] a\n- [ ] 1.1 [FIX 1] Mend\n- [ ] b\n";
    const document = openPlan(text);
    const ticked = withTicks(
      document,
      document.plan.tasks.map(() => true),
    );
    expect(ticked).toBe(text.replaceAll("[ ]", "[x]"));
    const done = openPlan(ticked);
    expect(
      withTicks(
        done,
        done.plan.tasks.map(() => false),
      ),
    ).toBe(text);
  });
});

describe("boxes that repeat something", () => {
  const kindsOf = (text: string): string[] =>
    openPlan(text).plan.tasks.map(({ title, aside }) => `${title}: ${aside ?? "task"}`);

  it("repeat a part of the plan if a heading of this name has tasks", () => {
    const list = "# Plan\n\n## Parts\n\n- [ ] **Phase 1: Tents** - buy\n- [ ] Phase 2: Food\n- [ ] Phase 3\n\n";
    expect(kindsOf(`${list}### Phase 1: Tents\n\n- [ ] Buy pegs\n- [ ] Phase 1 - pack\n\n### Phase 2: Food\n`)).toEqual(
      [
        "**Phase 1: Tents** - buy: criterion",
        "Phase 2: Food: task",
        "Phase 3: task",
        "Buy pegs: task",
        "Phase 1 - pack: task",
      ],
    );
  });

  it("repeat a heading without boxes if they are in a list of criteria", () => {
    const plan = "### Task 2.1: Buy pegs\n\nIron.\n\n### T003 Go\n\nBy bus.\n\n## Success Criteria\n\n";
    expect(kindsOf(`${plan}- [ ] Task 2.1: Buy pegs\n- [ ] T003 Go\n- [ ] 2.2 Pack\n`)).toEqual([
      "Buy pegs: criterion",
      "Go: criterion",
      "Pack: task",
    ]);
  });

  it("repeat a task if they are in a list of progress", () => {
    expect(kindsOf("- [ ] Buy pegs\n\n## 📊 Progress Tracking\n\n- [ ] Buy pegs\n- [ ] Pack\n")).toEqual([
      "Buy pegs: task",
      "Buy pegs: criterion",
      "Pack: task",
    ]);
    expect(kindsOf("### Task 1: Buy pegs\n\n- [ ] Go\n\n## Progress\n\n- [x] Task 1: Buy pegs\n")).toEqual([
      "Buy pegs: task",
      "Buy pegs: criterion",
    ]);
  });
});

it.each([
  ["Status Legend", "criterion"],
  ["Quality Gates", "criterion"],
  ["Common Pitfalls to Avoid", "criterion"],
  ["Sign-Off", "person"],
  ["Live checks (require manual work)", "person"],
  ["Allocator (manual memory)", undefined],
  ["Sign-off flow", undefined],
])("boxes below %s are set aside as %s", (title, aside) => {
  const { tasks } = openPlan(`# Trip\n\n## Work\n\n- [ ] Pack\n\n## ${title}\n\n- [ ] Bread\n`).plan;
  expect(tasks.map((task) => task.aside)).toEqual([undefined, aside]);
});
