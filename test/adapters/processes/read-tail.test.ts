import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTail } from "../../../src/adapters/processes/open-output.ts";
import { temporaryFolder } from "../../support/folder.ts";

function fileWith(content: string | Uint8Array): string {
  const path = join(temporaryFolder(), "output");
  writeFileSync(path, content);
  return path;
}

describe("readTail", () => {
  it("returns a short file completely", () => {
    expect(readTail(fileWith("\uFEFFa\0b\r\n"), 100)).toBe("\uFEFFa\0b\r\n");
    expect(readTail(fileWith("12345"), 5)).toBe("12345");
    expect(readTail(fileWith(""), 5)).toBe("");
  });

  it("begins with the first whole line if the cut is between two", () => {
    expect(readTail(fileWith("first\nlast\n"), 5)).toBe("last\n");
  });

  it("marks a line whose beginning is missing", () => {
    expect(readTail(fileWith("say TASK_COMPLETE\n"), 14)).toBe("…TASK_COMPLETE\n");
  });

  it("begins with a whole character", () => {
    for (const bytes of [3, 4, 5, 6]) expect(readTail(fileWith("😀😀ab"), bytes)).toBe(bytes < 6 ? "…ab" : "…😀ab");
  });

  it("replaces bytes that are not UTF-8", () => {
    expect(readTail(fileWith(Uint8Array.of(0x61, 0xff, 0x62)), 10)).toBe("a\uFFFDb");
    expect(readTail(fileWith(new Uint8Array(100).fill(0x80)), 10)).toBe(`…${"\uFFFD".repeat(10)}`);
  });

  it("refuses a missing file, and anything that is not a regular one", () => {
    const folder = temporaryFolder();
    symlinkSync("/etc/passwd", join(folder, "link"));
    mkdirSync(join(folder, "folder"));
    for (const name of ["link", "folder", "missing"]) {
      expect(() => readTail(join(folder, name), 10)).toThrow(expect.objectContaining({ code: "output-unreadable" }));
    }
  });
});
