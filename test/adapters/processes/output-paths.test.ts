import { describe, expect, it } from "vitest";
import { outputPaths } from "../../../src/adapters/processes/open-output.ts";

describe("outputPaths", () => {
  it("stays in the folder whatever the key contains", () => {
    expect(outputPaths("/out", "../a b/é%#1")).toEqual({
      stdout: "/out/..%2Fa%20b%2F%C3%A9%25#1.out",
      stderr: "/out/..%2Fa%20b%2F%C3%A9%25#1.err",
      message: "/out/..%2Fa%20b%2F%C3%A9%25#1.msg",
    });
  });

  it("shortens the name of a long key, and keeps two such names distinct", () => {
    const name = `/out/${"1".repeat(80)}`;
    const [one, two] = [outputPaths("/out", `${"1".repeat(300)}#1`), outputPaths("/out", `${"1".repeat(300)}#2`)];
    expect(one.stdout).toMatch(new RegExp(`^${name}~[0-9a-f]{8}\\.out$`));
    expect(one.stdout).not.toBe(two.stdout);
  });
});
