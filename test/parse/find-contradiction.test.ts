import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findContradiction } from "../../src/parse/find-contradiction.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const phrases = ["requires manual", "cannot be automated", "could not complete", "needs human", "manual intervention"];

describe("findContradiction", () => {
  it.each(phrases)("finds %j in any case", (phrase) => {
    expect(findContradiction(`TASK_COMPLETE\nThe rest ${phrase.toUpperCase()} work.`)).toBe(phrase);
  });

  it("finds a phrase that is wrapped", () => {
    expect(findContradiction("The deployment requires\n  manual work")).toBe("requires manual");
  });

  it("finds the first phrase that is not denied", () => {
    expect(findContradiction("No manual intervention, but it needs human eyes and requires manual work")).toBe(
      "needs human",
    );
  });

  it.each([
    "",
    "All done.",
    "Works without manual intervention.",
    "Works without any manual intervention.",
    "There is no manual intervention",
    "No further manual intervention",
    "It no longer requires manual steps",
    "It is not\nmanual intervention",
    "The word `requires manual` is found",
    "The words ``a ` needs human`` are found",
    'Rejects "requires manual work" in a claim',
    "Rejects (“needs human”) in a claim",
    "> requires manual",
    "```\nneeds human\n```",
    "This requires\n\nmanual work",
    "- it requires\n- manual work",
    "The prerequires manual",
  ])("finds none in %j", (text) => {
    expect(findContradiction(text)).toBeNull();
  });

  it.each([
    ["An open ` requires manual", "requires manual"],
    ["Two `` of ` needs human", "needs human"],
    ["`a` needs human `b`", "needs human"],
    ['step "deploy" requires manual approval of "x"', "requires manual"],
    ["I did not finish, manual intervention", "manual intervention"],
    ["It does nothing: manual intervention", "manual intervention"],
    ["| step | needs human |", "needs human"],
  ])("finds one in %j", (text, phrase) => {
    expect(findContradiction(text)).toBe(phrase);
  });
});

const fragments = fc.oneof(
  fc.constantFrom(...phrases, "no ", "without ", "`", "``", '"', "“", "\n", "\n\n", "- ", "> "),
  fc.string(),
);
const messages = joined(fragments, 30);

describe("findContradiction, for every message", () => {
  prop("I13 it answers with a phrase or nothing", [messages], (text) => {
    expect([...phrases, null]).toContain(findContradiction(text));
  });

  prop("a message in a code span holds none", [messages], (text) => {
    const line = text.replace(/[\r\n`]/g, " ");
    expect(findContradiction(`a \`${line}\` b`)).toBeNull();
  });

  prop(
    "an admission in a paragraph of its own is found, whatever stands before",
    [messages, fc.constantFrom(...phrases)],
    (text, phrase) => {
      expect(findContradiction(`${text.replace(/[~`]/g, "")}\n\nIt ${phrase} now`)).not.toBeNull();
    },
  );
});
