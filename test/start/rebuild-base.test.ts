import { describe, expect, it } from "vitest";
import { closedIn } from "../../src/markdown/close-task.ts";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { applyChange } from "../../src/markdown/insert-tasks.ts";
import { tickTask } from "../../src/markdown/tick-task.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { rebuildBase } from "../../src/start/rebuild-base.ts";

const begun = "# Tasks\n\n- [ ] 1.1 One\n- [ ] 1.2 Two\n  - **Verify**: `make`\n- [ ] 1.3 Three\n";
const fix = {
  ...{ id: "1.2.1", fixOf: "1.2", summary: "It broke", error: "it broke", attemptedFix: "none" },
  ...{ doneWhen: "it is gone", files: "a.ts", verify: "make", commit: "fix: it" },
};
const record = (made: object): TimedRunRecord => ({ at: 1, ...made }) as TimedRunRecord;
const pass = (task: string): TimedRunRecord =>
  record({
    type: "answered",
    effect: "recordPass",
    key: `${task}#1/recordPass`,
    answer: { kind: "recorded", commit: null },
  });
const records = [
  pass("1.1"),
  record({ type: "intended", key: "1.2#1", fix }),
  record({ type: "answered", effect: "insertFix", key: "1.2#1/insertFix", answer: { kind: "inserted", fix: fix.id } }),
  pass("1.2.1"),
  pass("1.2"),
];
const inserted = insertFixTask(tickTask(begun, "1.1"), fix);
/** The plan as it was behind each of its edits. */
const states = [begun, tickTask(begun, "1.1"), inserted, tickTask(inserted, "1.2.1")];
const left = tickTask(states[3] ?? "", "1.2");

const rebuilt = (kept: string, found: string): string | undefined =>
  rebuildBase(
    { keep: () => {}, find: () => kept },
    { segments: [{ header: { segment: 1 }, records }], records },
    openPlan(found),
  )?.text;

describe("rebuildBase", () => {
  it.each(states.concat(left))("comes to the same plan from whatever was kept on the way (%#)", (kept) => {
    expect(rebuilt(kept, left)).toBe(left);
    expect(rebuilt(kept, tickTask(left, "1.3"))).toBe(left);
    expect(rebuilt(kept, begun)).toBe(left);
  });

  it("makes no edit of which nobody can say what it was made to", () => {
    const twice = begun.replace("[ ] 1.3 Three", "[x] 1.1 Other");
    expect(rebuilt(twice, left)).toBe(
      rebuilt(begun, left)?.replace("[ ] 1.3 Three", "[x] 1.1 Other").replace("[x] 1.1 One", "[ ] 1.1 One"),
    );
  });

  it("knows of a tick whose pass a later start has recorded", () => {
    const passed = [record({ type: "passed", key: "1.1#1", commit: null })];
    const bases = (kept: string) => ({ keep: () => {}, find: () => kept });
    for (const kept of states.slice(0, 2)) {
      const reading = { segments: [{ header: { segment: 1 }, records: passed }], records: passed };
      expect(rebuildBase(bases(kept), reading, openPlan(begun))?.text).toBe(states[1]);
    }
  });

  it("makes an edit again that was lost in what is kept", () => {
    expect(rebuilt(left.replace("[x] 1.1", "[ ] 1.1"), begun)).toBe(left);
  });

  it("knows of fixes that a kill left between the record of their closing and the tick", () => {
    const closed = ["1.1", "1.3"].map((id) => record({ type: "closed", fix: id, by: "1.2" }));
    const reading = { segments: [{ header: { segment: 1 }, records: closed }], records: closed };
    const steps = [begun, closedIn(openPlan(begun), "1.1", "1.2").text];
    steps.push(closedIn(openPlan(steps[1] ?? ""), "1.3", "1.2").text);
    for (const [at, found] of steps.entries()) {
      for (const kept of steps.slice(0, at + 1)) {
        expect(rebuildBase({ keep: () => {}, find: () => kept }, reading, openPlan(found))?.text).toBe(found);
      }
    }
  });

  it("knows of a task for a pull request, and of milestones, that a kill left without an answer", () => {
    const plan = {
      task: "1.3",
      place: "behind",
      tasks: [{ id: "1.4", markers: [], title: "Four", fields: {} }],
    } as const;
    const cause = { kind: "thread", thread: "t", comment: "c", head: "h" };
    const shipped = [
      record({ type: "addition", key: "pr#1.2/addPullRequestTask", cause, checks: [], plan }),
      record({ type: "reached", tasks: ["1.1", "1.3"] }),
    ];
    const bases = { keep: () => {}, find: () => begun };
    const reading = { segments: [{ header: { segment: 1 }, records: shipped }], records: shipped };
    const added = applyChange(openPlan(begun), plan).text;
    for (const found of [begun, added, tickTask(added, "1.3"), tickTask(tickTask(added, "1.3"), "1.1")]) {
      expect(rebuildBase(bases, reading, openPlan(found))?.text).toBe(found);
    }
    expect(rebuildBase(bases, reading, openPlan(tickTask(added, "1.2")))?.text).toBe(added);
  });
});
