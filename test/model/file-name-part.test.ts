import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNamePart } from "../../src/model/file-name-part.ts";
import { prop } from "../support/prop.ts";

describe("fileNamePart", () => {
  it("keeps 100 characters as they are, and of more the first 80", () => {
    expect(fileNamePart("a".repeat(100))).toBe("a".repeat(100));
    expect(fileNamePart("a".repeat(101))).toMatch(/^a{80}~[0-9a-f]{8}$/);
  });

  it("has a shortened text for no other text's name", () => {
    const shortened = fileNamePart("a".repeat(101));
    expect(fileNamePart(shortened)).not.toBe(shortened);
  });

  prop("I23: is a part of a name that every file system takes", [fc.string({ unit: "binary" })], (text) => {
    expect(fileNamePart(text)).toMatch(/^[A-Za-z0-9._#%~-]{0,100}$/);
  });
});
