import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { withTicks } from "../../src/model/plan-parts.ts";

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
  ])("leave a task aside in no other sense: %s", (title) => {
    expect(asideOf(`- [ ] 1.1 ${title}\n`)).toBeUndefined();
  });

  it.each(["Human resources module", "Deferred loading", "Manual memory management"])(
    "nor do those of a heading: %s",
    (title) => {
      expect(asideOf(`## ${title}\n\n- [ ] 1.1 Work\n`)).toBeUndefined();
    },
  );

  it.each([
    ["- [ ] 1.1 Manual: look at it", "person"],
    ["- [ ] 1.1 Manual - look at it", "person"],
    ["- [ ] 1.1 **Human**: agree", "person"],
    ["- [ ] 1.1 Get user approval.", "person"],
    ["- [ ] 1.1 Deferred: later", "deferred"],
    ["- [ ] 1.1 **Deferred by the maintainer.** More", "deferred"],
    ["- [ ] 1.1 Optional: more tests", "optional"],
    ["## Manual steps\n\n- [ ] 1.1 Look", "person"],
    ["## Deferred\n\n- [ ] 1.1 More", "deferred"],
  ])("leave it aside where they say so: %j", (text, aside) => {
    expect(asideOf(`${text}\n`)).toBe(aside);
  });
});

it("lines below Status Markers are no tasks, whatever their numbers are", () => {
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

  it("take a step whose title begins like an id", () => {
    const text = "### Task 1: A\n\n- [ ] Write it\n- [ ] 404 page\n- [ ] Commit\n\n### Task 2: B\n\n- [ ] Write\n";
    expect(idsOf(text)).toEqual(["1", "2"]);
    expect(openPlan(text).plan.problems).toEqual([]);
  });

  it("leave to the tasks within them what stands there", () => {
    expect(idsOf("## Task 1: A\n\n### Task 1.1: B\n\n- [ ] a\n\n### Task 1.2: C\n\n- [ ] b\n")).toEqual(["1.1", "1.2"]);
  });

  it("are few beside a box that stands below another heading: it is a task", () => {
    const found = idsOf("## Task 1: A\n\n- [ ] a\n\n## Final check\n\n- [ ] Run all tests\n");
    expect(found).toHaveLength(2);
    expect(found.some((each) => each.endsWith("criterion"))).toBe(false);
  });

  it("have fields of their own section where lines end with a carriage return", () => {
    const text = "Verify: none\r\r- **Verify**: `false`\r\r### Task 1: A\r\r- **Verify**: `true`\r\r- [ ] a\r";
    expect(openPlan(text).plan.tasks.find(({ id }) => id === "1")?.fields.verify).toBe("`true`");
  });

  it("are ticked around a fix that stands between their boxes", () => {
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
