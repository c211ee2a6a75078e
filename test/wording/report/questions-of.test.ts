import { describe, expect, it } from "vitest";
import type { Repair } from "../../../src/model/directive.ts";
import { questionsOf } from "../../../src/wording/report/questions-of.ts";
import { bareReport, fullReport } from "./sample-report.ts";

const escalated = (decision: string): Repair => ({
  task: "1.3",
  directive: { strategy: "escalate", tried: "all", decision },
});

describe("questionsOf", () => {
  it("asks what to do differently when nobody has said what is needed", () => {
    const repairs = [escalated(" \u200b"), escalated("")];
    const facts = { ...fullReport, repairs, status: " ", admission: null };
    expect(questionsOf(facts)).toEqual([
      "Task 1.3 fails with: `Too many re-renders`. What should the agent do differently?",
    ]);
  });

  it("asks how the task is to go on when no error is known either", () => {
    expect(questionsOf(bareReport)).toEqual(["How should task 1.3 go on?"]);
    expect(questionsOf({ ...bareReport, lastError: "\n" })).toEqual(["How should task 1.3 go on?"]);
  });

  it("asks a thing once, in one line of at most 600 characters", () => {
    const long = `a\nb${"c".repeat(1000)}`;
    const [asked, ...others] = questionsOf({ ...bareReport, repairs: [escalated(long), escalated(long)] });
    expect(asked).toMatch(/^To be decided: a bc+$/);
    expect([asked?.length, others]).toEqual([600, []]);
  });
});
