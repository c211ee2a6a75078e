import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAdmission } from "../../src/parse/find-admission.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

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

  it("finds a phrase that is wrapped", () => {
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
    "an admission in a paragraph of its own is found, whatever stands before",
    [messages, fc.constantFrom(...phrases)],
    (text, phrase) => {
      expect(findAdmission(`${text.replace(/[~`]/g, "")}\n\n${phrase} it`)).not.toBeNull();
    },
  );
});
