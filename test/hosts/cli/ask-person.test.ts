import { describe, expect, it } from "vitest";
import { askPerson } from "../../../src/hosts/cli/person-at.ts";

describe("askPerson", () => {
  it.each([
    ["y", true],
    [" YES ", true],
    ["", false],
    ["n", false],
    ["yep", false],
  ])("reads %j as %s", async (answer, consent) => {
    expect(
      await askPerson(
        "Run them?",
        ["npm test"],
        async () => answer,
        () => {},
      ),
    ).toBe(consent);
  });

  it("shows an item without a line that looks like another item", async () => {
    let shown = "";
    await askPerson(
      "Run\u001b them?",
      ["npm test", "echo \u001b[8m\nrm -rf x"],
      async () => "n",
      (text) => {
        shown += text;
      },
    );
    expect(shown).toBe(
      "Run\\x1b them?\n2 items:\n  npm test\n  echo \\x1b[8m⏎\n│ rm -rf x\nEnd of the list: 2 items.\n",
    );
  });
});
