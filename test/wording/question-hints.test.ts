import { describe, expect, it } from "vitest";
import { type AskedQuestion, questionHints, sayHints } from "../../src/wording/explain-question.ts";

const address = { program: "fixpoint", spec: "shop", cwd: null, path: "shop" };
const question = (given: Partial<AskedQuestion>): AskedQuestion => ({
  ...{ task: "1.2", root: "1.2", about: "repair" },
  ...given,
});

describe("the ways to answer a question", () => {
  it("are messages to a run that waits for the answer", () => {
    expect(sayHints(question({ about: "blocked" }), address)).toEqual([
      'Answer the question: fixpoint say guidance "…" shop',
      "Retry the task: fixpoint say retry shop",
      "Skip the task: fixpoint say skip shop",
      "End the run: fixpoint say stop shop",
    ]);
  });

  it("name the task if several wait, and the planned task of a fix", () => {
    const hints = sayHints(question({ task: "1.2.1" }), address, false);
    expect(hints).toEqual([
      "Retry the task: fixpoint say retry shop --task 1.2.1",
      "Skip 1.2.1: fixpoint say skip shop --task 1.2.1",
      "Skip all of 1.2: fixpoint say skip-task shop --task 1.2.1",
      "End the run: fixpoint say stop shop --task 1.2.1",
    ]);
  });

  it("offer to accept changed tests, for no other question", () => {
    const hints = questionHints(question({ about: "guard" }), address, { isOver: true });
    expect(hints[0]).toBe("Review the changes, then accept: fixpoint resume shop --decision accept");
    const others = (["blocked", "repair", "checkpoint", "environment"] as const).flatMap((about) =>
      questionHints(question({ about }), address, { isOver: true }),
    );
    expect(others.join("\n")).not.toContain("accept");
  });

  it.each([
    [true, "then continue (its Verify runs first)"],
    [false, "tick it in tasks.md, then continue"],
  ])("are decisions for the next start of a run that has ended; Verify runs first: %s", (isRerun, words) => {
    const how = { isOver: true, isRerun };
    expect(questionHints(question({ about: "checkpoint", task: "1.2.1" }), address, how)).toEqual([
      `Fix the task yourself, ${words}: fixpoint run shop`,
      'Advise: fixpoint resume shop --guidance "…"',
      "Retry the task: fixpoint resume shop --decision retry",
      "Skip the task: fixpoint resume shop --decision skip",
      "End the run: fixpoint resume shop --decision stop",
    ]);
  });

  it("name the task if others may wait as well", () => {
    const hints = questionHints(question({ about: "guard" }), address, { isOver: true, isNamed: true });
    expect(hints[0]).toBe("Review the changes, then accept: fixpoint resume shop --task 1.2 --decision accept");
  });

  it("begin with the cause to fix, if the question is about that", () => {
    const hints = questionHints(question({ about: "environment" }), address, { isOver: false });
    expect(hints[0]).toBe("Fix the cause first. Retry the task: fixpoint resume shop --decision retry");
  });
});
