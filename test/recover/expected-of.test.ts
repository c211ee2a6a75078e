import { describe, expect, it } from "vitest";
import { expectedOf } from "../../src/recover/expected-of.ts";

describe("expectedOf", () => {
  it.each([
    [{ doneWhen: "It parses", verify: "npm test" }, "It parses; Verify: npm test"],
    [{ doneWhen: "It parses" }, "It parses"],
    [{ verify: "npm test" }, "Verify: npm test"],
    [{ do: "Parse it" }, "Add a parser"],
    [{ doneWhen: " It\r\n   parses " }, "It parses"],
  ])("of a task with %j is %j", (fields, expected) => {
    expect(expectedOf({ title: "Add a parser", fields })).toBe(expected);
  });
});
