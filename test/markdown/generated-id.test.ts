import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNaming, generatedId } from "../../src/markdown/generated-id.ts";
import { prop } from "../support/prop.ts";

describe("generatedId", () => {
  it("stays the same for a title", () => {
    expect(generatedId("Write the parser")).toBe(generatedId("Write the parser"));
    expect(generatedId("")).toBe("H136261");
  });
});

describe("createNaming", () => {
  it("numbers repetitions behind the alphabet", () => {
    const name = createNaming(new Set());
    const ids = Array.from({ length: 28 }, () => name("Same").slice(7));
    expect([ids[0], ids[1], ids[25], ids[26], ids[27]]).toEqual(["", "b", "z", "-27", "-28"]);
  });

  it("avoids ids that are written", () => {
    const id = generatedId("Same");
    expect(createNaming(new Set([id]))("Same")).toBe(`${id}b`);
  });
});

describe("createNaming, for every list of titles", () => {
  prop("gives every task a name of its own that reads as an id", [fc.array(fc.string({ maxLength: 2 }))], (titles) => {
    const name = createNaming(new Set());
    const ids = titles.map(name);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^H\d{6}(?:[b-z]|-\d+)?$/.test(id))).toBe(true);
  });
});
