import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAdmission, findBlocker, parseSignal } from "../../src/parse/parse-signal.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";
import { joined, textsWith } from "../support/texts.ts";

describe("parseSignal", () => {
  it.each(["TASK_COMPLETE", "ALL_TASKS_COMPLETE"])("reads %s of an executor as a completion", (signal) => {
    expect(parseSignal(`Parser added.\n\n${signal}\n`, "executor")).toBe("complete");
  });

  it("reads VERIFICATION_PASS of a verifier as a completion", () => {
    expect(parseSignal("All green.\nVERIFICATION_PASS", "verifier")).toBe("complete");
  });

  it("requires of each role its own signal word", () => {
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
    ...["%", "%.", "%!", "**%**", "*%*", "__%__", "_%_", "`%`", "**`%`**", "`%`.", "**%.**", "# %", "### **%**"],
    ...["- %", "* %", "• %", "1. %", "2) %", "- [x] %", "[X] %", "- `%`", "1. **%**"],
    ...["✅ %", "✓ %", "☑ %", "✔️ %", "✅ **%**", "% ✅", "**%** ✅", "- ✅ `%`"],
    ...["%;", "%,", "%。", "[%]", "(%)", "== % ==", "--- % ---", "🎉 % 🎉", "<b>%</b>", "<signal>%</signal>"],
    ...["\u200B%", "\u001B[32m%\u001B[0m"],
    ...["<promise>%</promise>", "<promise> % </promise>", "`<promise>%</promise>`", "**<promise>%</promise>**"],
    ...["```\n%\n```", "~~~text\n%\n~~~", "```\n%", "```\n\n**%**\n\n```", "1. Here:\n   ```\n   %\n   ```"],
  ])("ignores the marks around the signal in %j", (form) => {
    const said = (word: string) => `Did it.\n\n${form.replace("%", word)}\n`;
    expect(parseSignal(said("TASK_COMPLETE"), "executor")).toBe("complete");
    expect(parseSignal(said("ALL_TASKS_COMPLETE"), "executor")).toBe("complete");
    expect(parseSignal(said("VERIFICATION_PASS"), "verifier")).toBe("complete");
    expect(parseSignal(said("VERIFICATION_PASS"), "executor")).toBe("misplaced");
    expect(parseSignal(said("VERIFICATION_FAIL"), "verifier")).toBe("failed");
  });

  it.each([
    "",
    "I will output TASK_COMPLETE when done",
    "7. Output TASK_COMPLETE",
    "7.TASK_COMPLETE",
    "Status: TASK_COMPLETE",
    "TASK_COMPLETE?",
    "TASK_COMPLETE: the parser",
    "TASK_COMPLETE - the parser",
    "~~TASK_COMPLETE~~",
    "❌ TASK_COMPLETE",
    "- [ ] TASK_COMPLETE",
    '"TASK_COMPLETE"',
    "| TASK_COMPLETE |",
    "<!-- TASK_COMPLETE -->",
    "task_complete",
    "NOT_TASK_COMPLETE",
    "TASK_COMPLETE_NOT",
    "> TASK_COMPLETE",
    "> **TASK_COMPLETE**",
    "```\nnpm test\nTASK_COMPLETE\n```",
    "```\nTASK_COMPLETE\nTASK_COMPLETE\n```",
    "~~~text\nTASK_COMPLETE\nok",
    "```\nTASK_COMPLETE\n```\nis what I print",
    "```\nTASK_COMPLETE\n```\n```\nok\n```",
    "```\nTASK_COMPLETE\n```\n> ok",
    `TASK_COMPLETE${" ".repeat(20_000)}is what I would print`,
  ])("finds no signal in %j", (text) => {
    expect(parseSignal(text, "executor")).toBeNull();
  });

  it.each(["executor", "verifier"] as const)("prefers a failure of the %s to a completion", (role) => {
    const claims = "TASK_COMPLETE\nVERIFICATION_PASS";
    expect(parseSignal(`${claims}\nVERIFICATION_FAIL`, role)).toBe("failed");
    expect(parseSignal(`Task 1.3: Add parser FAILED\n- Error: x\n${claims}`, role)).toBe("failed");
  });

  it("reads a block about another task as a failure too", () => {
    expect(parseSignal("Task 9.9: FAILED", "executor")).toBe("failed");
  });

  it.each(["executor", "verifier", "reviewer", "operator"] as const)(
    "reads a question of the %s to a person as a signal that takes precedence over all others",
    (role) => {
      expect(parseSignal("BLOCKED: Which database?", role)).toBe("blocked");
      const others = "TASK_COMPLETE\nVERIFICATION_PASS\nVERIFICATION_FAIL\nTask 1.3: x FAILED\n- Error: x";
      expect(parseSignal(`${others}\nBLOCKED: Which database?`, role)).toBe("blocked");
      expect(parseSignal(`BLOCKED: Which database?\n\n${others}`, role)).toBe("blocked");
    },
  );

  it("ignores BLOCKED without a question, in a quote, or in a fence", () => {
    expect(parseSignal("BLOCKED:\n\nTASK_COMPLETE", "executor")).toBe("complete");
    expect(parseSignal("> BLOCKED: x\n```\nhe said\nBLOCKED: x\n```\nTASK_COMPLETE", "executor")).toBe("complete");
    expect(parseSignal("It was BLOCKED: for a while\nTASK_COMPLETE", "executor")).toBe("complete");
  });

  it("ignores a failure in a quote or a fence", () => {
    const shown = "> VERIFICATION_FAIL\n```\nTask 1.3: x FAILED\n- Error: x\n```\nTASK_COMPLETE";
    expect(parseSignal(shown, "executor")).toBe("complete");
  });
});

const signals = ["TASK_COMPLETE", "ALL_TASKS_COMPLETE", "VERIFICATION_PASS", "VERIFICATION_FAIL", "Task 1.3: x FAILED"];
const asking = [...signals, "BLOCKED: x", "BLOCKED:"];
const role = fc.constantFrom("executor" as const, "verifier" as const);
const messages = textsWith([...asking, "\n", "\r", "```", "~~~", "> ", " ", "`", "**"], 20);

describe("parseSignal, for every message", () => {
  prop("I13 it returns a signal or null", [messages, role], (text, by) => {
    expect(["complete", "failed", "blocked", "misplaced", null]).toContain(parseSignal(text, by));
  });

  prop("I10 a quoted message contains no signal", [messages, role], (text, by) => {
    const quote = `> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`;
    expect(parseSignal(quote, by)).toBeNull();
  });

  prop(
    "I10 a message next to another line, in a fence that it cannot close, contains no signal",
    [messages, role],
    (text, by) => {
      const fence = "~".repeat(text.length + 3);
      expect(parseSignal(`${fence}\n${text}\nbeside it\n${fence}`, by)).toBeNull();
    },
  );

  prop("I10 a signal with prose on its line does not count", [fc.stringMatching(/^[a-z]{1,9}$/), role], (word, by) => {
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
    ["- BLOCKED: Which one?", "Which one?"],
    ["1. **BLOCKED**: Which one?", "Which one?"],
    ["## BLOCKED: Which one?", "Which one?"],
    ["`BLOCKED: Which one?`", "Which one?"],
    ["*BLOCKED: Which one?*", "Which one?"],
    ["**BLOCKED:** Is it `a`, or *b*", "Is it `a`, or *b*"],
    ["BLOCKED: Is it `a` or `b`", "Is it `a` or `b`"],
    ["- BLOCKED: Is it `a` or `b`", "Is it `a` or `b`"],
    ["```\nBLOCKED: Which one?\n```", "Which one?"],
    ["~~~text\nBLOCKED: Which one?", "Which one?"],
    ["BLOCKED: a?\n```\nBLOCKED: b?\n```", "a?"],
  ])("finds in %j the question %j", (text, question) => {
    expect(findBlocker(text)).toBe(question);
  });

  it.each([
    ...[
      "BLOCKED: none",
      "- **BLOCKED:** None.",
      "DONE: a.txt\nBLOCKED: nothing\n",
      "BLOCKED: n/a",
      "BLOCKED: no blockers",
    ],
    "",
    "TASK_COMPLETE",
    "The task is BLOCKED: nobody knows why",
    "- Status: BLOCKED: no parser",
    "Blocked: Which one?",
    "blocked: Which one?",
    "BLOCKED Which one?",
    "> BLOCKED: Which one?",
    "~~~text\nas was asked:\nBLOCKED: Which one?",
    "```\nBLOCKED:\n```",
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

  prop("it returns a question exactly if the signal is blocked", [messages, role], (text, by) => {
    const question = findBlocker(text);
    expect(question?.trim()).not.toBe("");
    expect(question?.length ?? 0).toBeLessThanOrEqual(2000);
    expect(parseSignal(text, by) === "blocked").toBe(question !== null);
  });

  prop("I10 a quoted message asks nothing", [messages], (text) => {
    expect(findBlocker(`> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`)).toBeNull();
  });

  prop("I10 a message next to another line, in a fence that it cannot close, asks nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(findBlocker(`${fence}\n${text}\nbeside it\n${fence}`)).toBeNull();
  });

  prop("its question is part of the message", [messages], (text) => {
    for (const line of findBlocker(text)?.split("\n") ?? []) expect(text).toContain(line);
  });
});

const phrases = [
  "i don't know how to",
  "i do not know how to",
  "i'm not sure what's causing",
  "i'm not sure what is causing",
  "i am not sure what's causing",
  "i am not sure what is causing",
  "i've tried everything i can think of",
  "i have tried everything i can think of",
];

describe("findAdmission", () => {
  it.each(phrases)("finds %j in any case and with either apostrophe", (phrase) => {
    expect(findAdmission(`The build fails.\n\nFrankly, ${phrase} it.`)).toBe(phrase);
    expect(findAdmission(`${phrase.toUpperCase()}.`)).toBe(phrase);
    expect(findAdmission(`- ${phrase.replaceAll("'", "’")} this`)).toBe(phrase);
    expect(findAdmission(`**${phrase}** this`)).toBe(phrase);
  });

  it("finds a phrase across a line break", () => {
    expect(findAdmission("I've tried everything\n  I can think of")).toBe("i've tried everything i can think of");
  });

  it("finds the first of several", () => {
    expect(findAdmission("I'm not sure what's causing it, and I don't know how to go on")).toBe(
      "i'm not sure what's causing",
    );
    expect(findAdmission("I don't know how to go on\n\nI'm not sure what's causing it")).toBe("i don't know how to");
  });

  it.each([
    "",
    "TASK_COMPLETE",
    "I know how to fix it.",
    "We don't know how to",
    "I don't know how tough it is",
    "I don't know\n\nhow to",
    "Hawaii don't know how to",
    "I'm not sure what's caused it",
    "I tried everything I can think of",
    "I've tried everything",
    'The log says "I don\'t know how to" twice',
    "The log says “I don’t know how to” twice",
    "The log says `I don't know how to` twice",
    "> I don't know how to",
    "```\nI don't know how to\n```",
    "~~~\nI don't know how to",
  ])("finds none in %j", (text) => {
    expect(findAdmission(text)).toBeNull();
  });

  it.each([
    ["one line", "I don't know how "],
    ["open quotations", " \"I'm not sure"],
    ["runs of backticks", "` `` ``` everything "],
    ["lines", "I've tried\n"],
    ["blanks", "know  \n"],
    ["apostrophes", "I’’'"],
  ])("reads a megabyte of %s in time", (_, piece) => {
    expect(findAdmission(`You know how to. ${piece.repeat(1_000_000 / piece.length)}`)).toBeNull();
  });
});

describe("findAdmission, for every message", () => {
  const fragments = fc.oneof(
    hostileTexts,
    fc.constantFrom(...phrases, "I ", "don’t ", "`", '"', "“", "”", "\n", "\n\n", "- ", "> ", "```\n"),
  );
  const messages = joined(fragments, 20);

  prop("I13, I19: it answers with a phrase or nothing", [messages], (text) => {
    expect([...phrases, null]).toContain(findAdmission(text));
  });

  prop("a message in a fence that it cannot close admits nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(findAdmission(`${fence}\n${text}\n${fence}`)).toBeNull();
  });

  prop(
    "an admission in a separate paragraph is found, whatever comes before",
    [messages, fc.constantFrom(...phrases)],
    (text, phrase) => {
      expect(findAdmission(`${text.replace(/[~`]/g, "")}\n\n${phrase} it`)).not.toBeNull();
    },
  );
});
