import { describe, expect, it } from "vitest";
import { invertedSearch } from "../../../src/markdown/lint/judge-command.ts";

describe("invertedSearch", () => {
  it.each([
    ["grep -rn oldApi src", "All calls of oldApi are removed"],
    ["grep -rn oldApi src", "Remove oldApi from the sources"],
    ["grep -rn oldApi src", "The search has no matches"],
    ["grep -rn oldApi src", "It prints nothing. Really"],
    ["grep -q 'oldApi(' src/a.ts", "oldApi is gone"],
    ["rg TODO src", "No TODO is left"],
    ["rg TODO src", "TODO must not appear"],
    ["git grep -n legacy", "legacy not found"],
    ["cat a.txt | grep secret", "a.txt does not contain the secret"],
    ["grep -e one -r src", "there is one no longer"],
  ])("finds %j where %j", (script, text) => {
    expect(invertedSearch(script, ["Title", text])).toEqual(expect.any(String));
  });

  it("returns the search before a pipe", () => {
    expect(invertedSearch("cat a | grep -i secret", ["no secret"])).toBe("grep -i secret");
  });

  it.each([
    ["! grep -rn oldApi src", "oldApi is removed"],
    ["grep -c oldApi src", "oldApi is removed"],
    ["grep -rL oldApi src", "oldApi is removed"],
    ["grep -v oldApi src", "oldApi is removed"],
    ["grep --invert-match oldApi src", "oldApi is removed"],
    ["grep -rn newApi src", "oldApi is removed, newApi is there"],
    ["grep -rn newApi src", "oldApi is removed and newApi takes its place"],
    ["grep -rn old src", "The folder is removed"],
    ["grep -rn old src", "the older one is removed"],
    ["grep -rn a src", "a is removed"],
    ["grep -r", "nothing is removed"],
    ["grep -n 'no trips' a.py", "no trips are shown"],
    ["npm test | grep passed", "no passed test is lost"],
    ["grep -q x a && grep -q x b", "no matches"],
    ["grep -q x a; true", "no matches"],
    ["a=1 | grep secret", "no secret"],
    ["a=1", "no matches"],
    ["grep -q x a || exit 1", "no matches"],
    ["npm test", "no matches"],
    ["(", "no matches"],
    ["", "no matches"],
  ])("finds nothing in %j where %j", (script, text) => {
    expect(invertedSearch(script, [text])).toBeNull();
  });
});
