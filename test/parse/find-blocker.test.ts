import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBlocker } from "../../src/parse/find-blocker.ts";
import { parseSignal } from "../../src/parse/parse-signal.ts";
import { prop } from "../support/prop.ts";
import { textsWith } from "../support/texts.ts";

describe("findBlocker", () => {
  it.each([
    ["BLOCKED: Which database is meant?", "Which database is meant?"],
    ["I looked around.\n\n  BLOCKED:   Which one?  \n", "Which one?"],
    ["BLOCKED: Which one?\r\n1. the old\r\n2. the new\r\n\r\nThat is all.", "Which one?\n1. the old\n2. the new"],
    ["BLOCKED:\nWhich one?\nThe old or the new?", "Which one?\nThe old or the new?"],
    ["BLOCKED: a\rb", "a\nb"],
    ["**BLOCKED:** Which one?", "Which one?"],
    ["**BLOCKED**: Which one?", "Which one?"],
    ["**BLOCKED: Which one?**", "Which one?"],
    ["BLOCKED: a?\n> quoted\nb?", "a?"],
    ["BLOCKED: a?\n```\nshown\n```\nb?", "a?"],
    ["BLOCKED: a?\n\nBLOCKED: b?", "a?"],
    ["BLOCKED:\n\nThe real one:\nBLOCKED: Which?", "Which?"],
    ["```\nBLOCKED: shown?\n```\nBLOCKED: asked?", "asked?"],
    ["TASK_COMPLETE\n\nBLOCKED: Which one?", "Which one?"],
  ])("finds in %j the question %j", (text, question) => {
    expect(findBlocker(text)).toBe(question);
  });

  it.each([
    "",
    "TASK_COMPLETE",
    "The task is BLOCKED: nobody knows why",
    "- Status: BLOCKED: no parser",
    "Blocked: Which one?",
    "blocked: Which one?",
    "BLOCKED Which one?",
    "`BLOCKED: Which one?`",
    "> BLOCKED: Which one?",
    "```\nBLOCKED: Which one?\n```",
    "~~~text\nBLOCKED: Which one?",
    "BLOCKED:",
    "BLOCKED:   \n\nWhich one?",
    "UNBLOCKED: it goes on",
  ])("finds no question in %j", (text) => {
    expect(findBlocker(text)).toBeNull();
  });

  it("keeps 2000 characters of a question", () => {
    expect(findBlocker(`BLOCKED: ${"x".repeat(9000)}`)).toBe("x".repeat(2000));
    expect(findBlocker(`BLOCKED: a\n${"x\n".repeat(9000)}`)?.trim()).toHaveLength(1999);
  });
});

describe("findBlocker, for every message", () => {
  const role = fc.constantFrom("executor" as const, "verifier" as const);
  const messages = textsWith(
    ["BLOCKED:", "BLOCKED: x", "TASK_COMPLETE", "\n", "\r", "```", "~~~", "> ", " ", "`", "**"],
    20,
  );

  prop("it asks something or nothing, and the signal is blocked just then", [messages, role], (text, by) => {
    const question = findBlocker(text);
    expect(question?.trim()).not.toBe("");
    expect(question?.length ?? 0).toBeLessThanOrEqual(2000);
    expect(parseSignal(text, by) === "blocked").toBe(question !== null);
  });

  prop("I10 a quoted message asks nothing", [messages], (text) => {
    expect(findBlocker(`> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`)).toBeNull();
  });

  prop("I10 a message in a fence that it cannot close asks nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(findBlocker(`${fence}\n${text}\n${fence}`)).toBeNull();
  });

  prop("what it asks stands in the message", [messages], (text) => {
    for (const line of findBlocker(text)?.split("\n") ?? []) expect(text).toContain(line);
  });
});
