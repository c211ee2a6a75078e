import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSignal } from "../../src/parse/parse-signal.ts";
import { prop } from "../support/prop.ts";
import { textsWith } from "../support/texts.ts";

describe("parseSignal", () => {
  it.each(["TASK_COMPLETE", "ALL_TASKS_COMPLETE"])("takes %s of an executor for a completion", (signal) => {
    expect(parseSignal(`Parser added.\n\n${signal}\n`, "executor")).toBe("complete");
  });

  it("takes VERIFICATION_PASS of a verifier for a completion", () => {
    expect(parseSignal("All green.\nVERIFICATION_PASS", "verifier")).toBe("complete");
  });

  it("asks each role for its own word", () => {
    expect(parseSignal("VERIFICATION_PASS", "executor")).toBe("misplaced");
    expect(parseSignal("TASK_COMPLETE", "verifier")).toBe("misplaced");
    expect(parseSignal("TASK_COMPLETE\nVERIFICATION_PASS", "verifier")).toBe("complete");
    expect(parseSignal("TASK_COMPLETE\nVERIFICATION_FAIL", "verifier")).toBe("failed");
    expect(parseSignal("TASK_COMPLETE", "reviewer")).toBeNull();
  });

  it.each(["\n", "\r\n", "\r"])("reads lines that end with %j", (ending) => {
    expect(parseSignal(["done", " TASK_COMPLETE\t", "status: pass"].join(ending), "executor")).toBe("complete");
  });

  it.each([
    "",
    "I will output TASK_COMPLETE when done",
    "TASK_COMPLETE.",
    "7. Output TASK_COMPLETE",
    "`TASK_COMPLETE`",
    "**TASK_COMPLETE**",
    "task_complete",
    "NOT_TASK_COMPLETE",
    "> TASK_COMPLETE",
    "```\nTASK_COMPLETE\n```",
    "~~~text\nTASK_COMPLETE\n~~~",
    "```\nTASK_COMPLETE",
    "1. Output:\n   ```\n   TASK_COMPLETE\n   ```",
    `TASK_COMPLETE${" ".repeat(20_000)}is what I would print`,
  ])("finds no signal in %j", (text) => {
    expect(parseSignal(text, "executor")).toBeNull();
  });

  it.each(["executor", "verifier"] as const)("lets a failure of the %s beat a completion", (role) => {
    const claims = "TASK_COMPLETE\nVERIFICATION_PASS";
    expect(parseSignal(`${claims}\nVERIFICATION_FAIL`, role)).toBe("failed");
    expect(parseSignal(`Task 1.3: Add parser FAILED\n- Error: x\n${claims}`, role)).toBe("failed");
  });

  it("takes a block about another task for a failure too", () => {
    expect(parseSignal("Task 9.9: FAILED", "executor")).toBe("failed");
  });

  it.each(["executor", "verifier", "reviewer", "operator"] as const)(
    "takes a question of the %s to a person for a signal that beats all others",
    (role) => {
      expect(parseSignal("BLOCKED: Which database?", role)).toBe("blocked");
      const others = "TASK_COMPLETE\nVERIFICATION_PASS\nVERIFICATION_FAIL\nTask 1.3: x FAILED\n- Error: x";
      expect(parseSignal(`${others}\nBLOCKED: Which database?`, role)).toBe("blocked");
      expect(parseSignal(`BLOCKED: Which database?\n\n${others}`, role)).toBe("blocked");
    },
  );

  it("takes a word without a question, or one that is shown, for none", () => {
    expect(parseSignal("BLOCKED:\n\nTASK_COMPLETE", "executor")).toBe("complete");
    expect(parseSignal("> BLOCKED: x\n```\nBLOCKED: x\n```\nTASK_COMPLETE", "executor")).toBe("complete");
    expect(parseSignal("It was BLOCKED: for a while\nTASK_COMPLETE", "executor")).toBe("complete");
  });

  it("ignores a failure that is shown", () => {
    expect(parseSignal("> VERIFICATION_FAIL\n```\nTask 1.3: x FAILED\n```\nTASK_COMPLETE", "executor")).toBe(
      "complete",
    );
  });
});

const signals = ["TASK_COMPLETE", "ALL_TASKS_COMPLETE", "VERIFICATION_PASS", "VERIFICATION_FAIL", "Task 1.3: x FAILED"];
const asking = [...signals, "BLOCKED: x", "BLOCKED:"];
const role = fc.constantFrom("executor" as const, "verifier" as const);
const messages = textsWith([...asking, "\n", "\r", "```", "~~~", "> ", " ", "`", "**"], 20);

describe("parseSignal, for every message", () => {
  prop("I13 it answers", [messages, role], (text, by) => {
    expect(["complete", "failed", "blocked", "misplaced", null]).toContain(parseSignal(text, by));
  });

  prop("I10 a quoted message holds no signal", [messages, role], (text, by) => {
    const quote = `> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`;
    expect(parseSignal(quote, by)).toBeNull();
  });

  prop("I10 a message in a fence that it cannot close holds no signal", [messages, role], (text, by) => {
    const fence = "~".repeat(text.length + 3);
    expect(parseSignal(`${fence}\n${text}\n${fence}`, by)).toBeNull();
  });

  prop("I10 prose around a signal on its line makes it none", [fc.stringMatching(/^[a-z]{1,9}$/), role], (word, by) => {
    for (const signal of asking) expect(parseSignal(`${word} ${signal}`, by)).toBeNull();
    for (const signal of signals) {
      if (!signal.startsWith("Task")) expect(parseSignal(`${signal} ${word}`, by)).toBeNull();
    }
  });

  prop(
    "a signal on a line of its own always counts",
    [fc.array(fc.stringMatching(/^[a-z .]{0,30}$/)), role],
    (lines, by) => {
      const signal = by === "executor" ? "TASK_COMPLETE" : "VERIFICATION_PASS";
      expect(parseSignal([...lines, signal].join("\n"), by)).toBe("complete");
    },
  );
});
