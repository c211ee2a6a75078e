import { describe, expect, it } from "vitest";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";

/** Sources of the blocks behind each task that belong to it. */
const ownedIn = (text: string): string[][] =>
  readBlocks(text).tasks.map(({ owned }) => owned.map(({ start, end }) => text.slice(start, end)));
const lines = (...all: string[]): string => all.join("\n");

describe("ownedContent", () => {
  it.each<[string, string[], string[]]>([
    ["a bullet below it", ["  - Split it into lines"], ["- Split it into lines"]],
    ["a bullet below it that starts with a link", ["  - [How](docs/log.md)"], ["- [How](docs/log.md)"]],
    ["a paragraph below it", ["", "  Split it into lines."], ["Split it into lines."]],
    ["a fence below it", ["  ```sh", "  wc -l app.log", "  ```"], ["```sh\n  wc -l app.log\n  ```"]],
    ["a field in a bullet", ["* **Do**: Split it"], ["* **Do**: Split it"]],
    ["a field in a paragraph", ["", "**Do**: Split it"], ["**Do**: Split it"]],
    ["the steps of a field", ["", "**Do**:", "", "- Split it", "- Count"], ["**Do**:", "- Split it", "- Count"]],
    ["the fence of a field", ["", "**Verify**:", "```", "npm t", "```"], ["**Verify**:", "```\nnpm t\n```"]],
    [
      "the steps of a field behind a comment",
      ["", "**Do**:", "", "<!-- in this order -->", "", "- Split it"],
      ["**Do**:", "<!-- in this order -->", "- Split it"],
    ],
  ])("takes %s, which slipped out of the indentation", (_, behind, owned) => {
    expect(ownedIn(lines("1. [ ] 1.1 Parse the log", ...behind))).toEqual([owned]);
  });

  it.each<[string, string[], string[]]>([
    ["bullets of another list", ["* Somebody else's note"], []],
    ["a fence that is not closed", [" ```sh", " wc -l app.log"], []],
    ["what stands behind a rule", ["", "***", "", "**Do**: Print it"], []],
    ["a task with a mistyped box", ["- [] 1.2 Print the log"], []],
    ["the fields of a task without a blank", ["", "-[ ] 1.2 Print it", "on paper", "", "**Do**: Print it"], []],
    ["a paragraph with a number that no list has", ["", "1234567890. **Do**: Call"], []],
    [
      "bullets behind the text that a field ends with",
      ["", "**Do**: Split it", "", "All of this was agreed:", "", "* Keep the log"],
      ["**Do**: Split it"],
    ],
  ])("leaves %s", (_, behind, owned) => {
    expect(ownedIn(lines("- [ ] 1.1 Parse the log", ...behind))).toEqual([owned]);
  });

  it("gives what stands behind a list to its last task, not to one inside that", () => {
    const plan = lines("- [ ] 1 Read the log", "  - [ ] 1.1 Parse a line", "", "**Do**: Read it");
    expect(ownedIn(plan)).toEqual([["**Do**: Read it"], []]);
  });
});
