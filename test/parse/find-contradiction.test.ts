import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findContradiction } from "../../src/parse/find-contradiction.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const admitted = [
  "The importer is partially done.",
  "The importer is only partly implemented.",
  "I gave up on the importer.",
  "I could not finish the import.",
  "I couldn't finish the import.",
  "I couldn’t finish the import.",
  "I did not implement the export.",
  "I didn't implement the export, since the API is missing.",
  "I have not implemented the export yet.",
  "I haven't finished the second half.",
  "I was not able to get the server to start.",
  "I was unable to complete the migration.",
  "I failed to get the build working.",
  "I still cannot get the parser to work.",
  "I did not get to the export.",
  "I gave up on the cache.",
  "I ran out of time.",
  "I had to stop before the last step.",
  "I stubbed the importer.",
  "I left the import undone.",
  "We could not complete the task.",
  "Left the import undone, the rest is in place.",
  "Could not finish the import.",
  "Couldn't get the tests to pass.",
  "Did not implement the export.",
  "Unable to complete the migration.",
  "Failed to wire the new endpoint.",
  "Implemented the parser but could not finish the import.",
  "The parser is there, but I could not finish the import.",
  "Unfortunately I could not finish the import.",
  "Note that tests still fail.",
  "tests still fail",
  "The tests still fail.",
  "Tests still failing.",
  "Two tests fail.",
  "3 of the tests are failing.",
  "Some tests do not pass.",
  "The build does not pass.",
  "It does not work yet.",
  "It is not done yet.",
  "The import is not done yet.",
  "The import isn't finished.",
  "The export has not been implemented.",
  "The second step is only partially implemented.",
  "The importer is still broken.",
  "The importer is a stub.",
  "The import, which I could not finish, is behind a flag.",
  "There is still one failing test.",
  "There are still two steps to be done.",
  "The task could not be completed.",
  "The rest could not complete.",
  "Not done: the export.",
  "Not implemented: the export.",
  "Still missing: the export.",
  "Leaving the export for later.",
  "The deployment requires manual work.",
  "The last step cannot be automated.",
  "This needs human eyes.",
  "Deploying it takes manual intervention.",
];

const innocent = [
  "Remaining risks: it is slow at first. This is not covered by the task.",
  "The page is partially rendered on the server and partially in the browser.",
  "I gave up the first approach (templates) and wrote plain HTML.",
  "It does not work in old browsers, which we do not support.",
  "Still open (other tasks): the style sheet, the footer.",
  "",
  "All done.",
  "Uploads that could not complete are now retried.",
  "Orders that could not complete are queued again.",
  "An upload that is not finished is resumed.",
  "Users who did not finish the wizard see a banner.",
  "When an upload could not complete, it is queued again.",
  "If the import is not done, the status is 409.",
  "The page shows a banner while the import is not finished.",
  "Returns 409 unless the order is complete.",
  "Uploads could not complete before; now they do.",
  "The import could not complete before; now it does.",
  "I could not get it to build at first; it builds now.",
  "I couldn't connect to the server. Fixed by another port.",
  "I could not build it with the old flag, but now it does.",
  "The parser no longer fails.",
  "The tests no longer fail.",
  "No tests fail.",
  "None of the tests still fail.",
  "Not a single test still fails.",
  "0 tests fail.",
  "Nothing is left undone.",
  "I left nothing undone.",
  "I did not leave anything undone.",
  "There is nothing that I could not finish.",
  "I did not change the API.",
  "I did not touch other files.",
  "I did not add any dependencies.",
  "I did not add dependencies.",
  "I did not write new tests, the old ones cover it.",
  "I did not fix other lint errors.",
  "I did not run the whole suite.",
  "I did not need to change the schema.",
  "I could not find any other callers.",
  "I could not find regressions.",
  "I left the old API in place.",
  "I left the other tests alone.",
  "I did not implement the export, which is task 1.3.",
  "The export is not implemented here: it belongs to 1.3.",
  "Two unrelated tests still fail.",
  "The new test still fails, as it should.",
  "One test fails as expected, the rest passes.",
  "The failing test passes.",
  "Tests that still fail are listed at the end.",
  "The failing uploads are retried.",
  "The job is marked as not done.",
  "The reader reports a file that could not be read.",
  "The cleanup handles what could not be removed.",
  "Orders are not complete until they are paid.",
  "Works without manual intervention.",
  "Works without any manual intervention.",
  "No manual intervention is needed.",
  "It no longer requires manual steps.",
  "It does not need human eyes: nothing requires manual steps.",
  "Deploys that require manual approval are marked.",
  'The button says "I could not finish the import".',
  "The log says “tests still fail” twice.",
  "The line `I could not finish the import` is printed.",
  "> I could not finish the import.",
  "```\nI could not finish the import.\n```",
  "~~~\ntests still fail",
  "Should I say that the import is not done yet?",
];

describe("findContradiction", () => {
  it.each(admitted)("quotes %j", (sentence) => {
    expect(findContradiction(sentence)).toBe(sentence);
    expect(findContradiction(`The parser is there.\n\n- ${sentence}\n\nTASK_COMPLETE`)).toBe(sentence);
    expect(findContradiction(`**${sentence}**\nTASK_COMPLETE`)).toBe(sentence);
  });

  it.each(innocent)("finds nothing in %j", (text) => {
    expect(findContradiction(text)).toBeNull();
    expect(findContradiction(`The parser is there.\n\n${text}\n\nTASK_COMPLETE`)).toBeNull();
  });

  it("quotes the first of several, without the text around it", () => {
    expect(findContradiction("All is well. I could not finish the import. Tests still fail. Bye.")).toBe(
      "I could not finish the import.",
    );
    expect(findContradiction("TASK_COMPLETE\nI could not finish the import")).toBe("I could not finish the import");
  });

  it("reads a wrapped sentence", () => {
    expect(findContradiction("I could not\n  finish the import")).toBe("I could not finish the import");
  });

  it("ignores text longer than any sentence", () => {
    expect(findContradiction(`I could not finish the import ${"of a ".repeat(200)}`)).toBeNull();
  });

  it.each([
    ["one line", "I could not "],
    ["admissions that are over", "I could not do it before "],
    ["open quotations", ' "I could not'],
    ["lines", "the tests still\n"],
    ["words", "the import of it is not "],
    ["sentences", "It is not. "],
  ])("reads a megabyte of %s in time", (_, piece) => {
    expect(findContradiction(`Left it. ${piece.repeat(1_000_000 / piece.length)}`)).toBeNull();
  });
});

describe("findContradiction, for every message", () => {
  const pieces = fc.oneof(
    fc.constantFrom(...admitted, ...innocent, "no ", "without ", "`", '"', "“", "\n", "\n\n", "- ", "> ", "| ", "; "),
    fc.string(),
  );
  const messages = joined(pieces, 20);

  prop("I13 it returns words of the message or nothing", [messages], (text) => {
    expect(findContradiction(text)?.trim()).not.toBe("");
  });

  prop("a message in a code span admits nothing", [messages], (text) => {
    expect(findContradiction(`a \`${text.replace(/[\r\n`]/g, " ")}\` b`)).toBeNull();
  });

  prop(
    "an admission in a separate paragraph is found, whatever comes before",
    [messages, fc.constantFrom(...admitted)],
    (text, sentence) => {
      expect(findContradiction(`${text.replace(/[~`]/g, "")}\n\n${sentence}`)).not.toBeNull();
    },
  );
});
