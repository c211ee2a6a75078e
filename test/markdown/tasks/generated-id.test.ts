import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../../src/markdown/insert-fix-task.ts";
import { createNaming, generatedId, isGeneratedId } from "../../../src/markdown/tasks/read-title.ts";
import { tickTask } from "../../../src/markdown/tick-task.ts";
import { prop } from "../../support/prop.ts";

describe("generatedId", () => {
  it("is stable for a title", () => {
    expect(generatedId("Write the parser")).toBe(generatedId("Write the parser"));
    expect(generatedId("")).toBe("H136261");
  });
});

describe("createNaming", () => {
  it("numbers repetitions after the alphabet", () => {
    const name = createNaming(new Set());
    const ids = Array.from({ length: 28 }, () => name("Same").slice(7));
    expect([ids[0], ids[1], ids[25], ids[26], ids[27]]).toEqual(["", "b", "z", "-27", "-28"]);
  });

  it("avoids written ids", () => {
    const id = generatedId("Same");
    expect(createNaming(new Set([id]))("Same")).toBe(`${id}b`);
  });
});

describe("isGeneratedId", () => {
  it.each([
    ["H136261", true],
    ["H136261b", true],
    ["H136261-27", true],
    ["H136261.1", false],
    ["H1", false],
    ["AH136261", false],
    ["1.1", false],
  ])("says of %s: %s", (id, is) => {
    expect(isGeneratedId(id)).toBe(is);
  });
});

describe("ids of a plan without written ids", () => {
  const plan = "# Moving\n\n- [ ] Pack\n- [ ] Clean\n  - windows\n- [ ] Pack\n- [ ] Hand over the keys\n";
  const idsOf = (markdown: string): string[] => readPlan(markdown).tasks.map(({ id }) => id);
  const ids = idsOf(plan);
  const [pack = "", clean = "", again = "", keys = ""] = ids;

  it("are derived from the titles", () => {
    expect(ids).toEqual(["H328960", generatedId("Clean"), "H328960b", generatedId("Hand over the keys")]);
  });

  it.each([
    ["a tick", tickTask(plan, clean)],
    ["a tick of a repeated title", tickTask(plan, again)],
    ["an edit of another title", plan.replace("Hand over", "Return")],
    ["an edit of a block", plan.replace("windows", "doors\n  - **Verify**: `true`")],
    [
      "another order",
      plan.replace("- [ ] Hand over the keys\n", "").replace("- [ ]", "- [ ] Hand over the keys\n- [ ]"),
    ],
    ["other line endings", plan.replaceAll("\n", "\r\n")],
    ["a heading", plan.replace("- [ ] Clean", "## The day\n\n- [ ] Clean")],
    ["another bullet and box", plan.replace("- [ ] Clean", "* [X]   Clean")],
  ])("are unchanged by %s", (_, changed) => {
    const kept = idsOf(changed).filter((id) => id !== generatedId("Return the keys"));
    expect(kept.toSorted()).toEqual(ids.filter((id) => kept.length === 4 || id !== keys).toSorted());
  });

  it("are unchanged by an inserted fix, which has the id of its task in its own", () => {
    const fix = { id: `${again}.1`, fixOf: again, summary: "boom", error: "boom", doneWhen: "" };
    const made = insertFixTask(plan, { ...fix, attemptedFix: "", files: ".", verify: "true", commit: "fix: boom" });
    expect(idsOf(made)).toEqual([pack, clean, again, `${again}.1`, keys]);
  });

  it.each([
    ["its title is edited", plan.replace("Clean", "Clean up"), [pack, generatedId("Clean up"), again, keys]],
    ["an earlier task with its title goes", plan.replace("- [ ] Pack\n", ""), [clean, pack, keys]],
    ["its id is written", plan.replace("Clean", "1 Clean"), [pack, "1", again, keys]],
  ])("change if %s", (_, changed, expected) => {
    expect(idsOf(changed)).toEqual(expected);
  });
});

describe("createNaming, for every list of titles", () => {
  prop("gives every task a unique name that reads as an id", [fc.array(fc.string({ maxLength: 2 }))], (titles) => {
    const name = createNaming(new Set());
    const ids = titles.map(name);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(isGeneratedId)).toBe(true);
  });
});
