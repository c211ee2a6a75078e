import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesBehind, bytesOfSegment, hasPart, partOf } from "../../src/adapters/segment-bytes.ts";
import { temporaryFolder } from "../support/folder.ts";

function file(...lines: readonly string[]): string {
  const path = join(temporaryFolder(), "journal-1.ndjson");
  writeFileSync(path, lines.join(""));
  return path;
}
const [head, one, two] = ["head\n", "one\n", "two\n"];
/** A line as long as those that are looked for at once, and one that is longer. */
const usual = `${"u".repeat(65_535)}\n`;
const long = `${"l".repeat(65_536)}\n`;
const text = (bytes: Buffer | undefined): string | undefined => bytes?.toString();
const gone = expect.objectContaining({ code: "file-refused", message: expect.stringContaining("Cannot read") });

describe("a part of a segment", () => {
  it("is known by its length and its last line", () => {
    const path = file(head, one, two);
    expect(partOf(path, 9)).toEqual({ bytes: 9, crc: crc32(one) });
    expect(partOf(path, 5)).toEqual({ bytes: 5, crc: crc32(head) });
    expect(partOf(file("\n"), 1)).toEqual({ bytes: 1, crc: crc32("\n") });
    for (const within of [0, 8, 10, 100]) expect(partOf(path, within)).toBeNull();
    expect(() => partOf(join(path, "..", "gone"), 1)).toThrow(gone);
  });

  it("is known by a line of a usual length alone", () => {
    expect(partOf(file(usual), usual.length)).toEqual({ bytes: usual.length, crc: crc32(usual) });
    expect(partOf(file(head, usual), 5 + usual.length)).toBeNull();
    expect(partOf(file(head, usual.slice(1)), 4 + usual.length)).toEqual({ bytes: 65_540, crc: crc32(usual.slice(1)) });
    expect(partOf(file(long), long.length)).toBeNull();
  });

  it.each([
    ["the first", [head]],
    ["one", [head, one]],
    ["a long one", [head, long]],
    ["a long one alone", [long]],
    ["a usual one", [head, one, usual]],
  ])("is there when the line that ends there is the same: %s", (_, lines) => {
    const bytes = lines.join("").length;
    const crc = crc32(lines.at(-1) ?? "");
    for (const behind of ["", "torn", two]) expect(hasPart(file(...lines, behind), { bytes, crc })).toBe(true);
    expect(hasPart(file(...lines, two), { bytes, crc: crc + 1 })).toBe(false);
    const path = file(...lines, two);
    for (const place of [bytes - 1, bytes + 1]) expect(hasPart(path, { bytes: place, crc })).toBe(false);
    expect(hasPart(file(lines.join("").slice(0, -1)), { bytes, crc })).toBe(false);
    expect(hasPart(file(lines.join("").slice(0, -1)), { bytes: bytes - 1, crc: crc32(lines.join("")) })).toBe(false);
  });

  it("is not there where its last bytes end no line", () => {
    expect(hasPart(file(head, "torn"), { bytes: 9, crc: crc32("torn") })).toBe(false);
    expect(hasPart(file(head, "torn"), { bytes: 9, crc: crc32("head\ntorn") })).toBe(false);
    expect(hasPart(file(head), { bytes: 0, crc: crc32("") })).toBe(false);
  });
});

describe("the bytes of a segment", () => {
  it("are its first line, and what stands behind it up to a limit", () => {
    const { header, body, from } = bytesOfSegment(file(head, one, two));
    expect([text(header), text(body), from]).toEqual([head, one + two, 5]);
    expect(text(bytesOfSegment(file(head, one, two), 9).body)).toBe(one);
    const torn = bytesOfSegment(file("hea"));
    expect([text(torn.header), text(torn.body), torn.from]).toEqual(["hea", "", 3]);
  });

  it("behind a part are those after it, up to a limit", () => {
    const path = file(head, one, two);
    const part = { bytes: 9, crc: crc32(one) };
    const behind = bytesBehind(path, part);
    expect([text(behind?.header), text(behind?.body), behind?.from]).toEqual([head, two, 9]);
    expect(text(bytesBehind(path, part, 11)?.body)).toBe("tw");
    expect(text(bytesBehind(path, part, 9)?.body)).toBe("");
    expect(bytesBehind(path, part, 8)).toBeNull();
    expect(text(bytesBehind(path, part, 100)?.body)).toBe(two);
    expect(text(bytesBehind(path, { bytes: 5, crc: crc32(head) })?.header)).toBe(head);
  });

  it("behind a part are none where that is not there", () => {
    const path = file(head, one, two);
    expect(bytesBehind(path, { bytes: 9, crc: crc32(two) })).toBeNull();
    expect(bytesBehind(path, { bytes: 14, crc: crc32(two) })).toBeNull();
    expect(bytesBehind(file(head, one.slice(0, -1)), { bytes: 9, crc: crc32(one) })).toBeNull();
    expect(bytesBehind(file(head, long), { bytes: 5 + long.length, crc: crc32(long) })).toBeNull();
    expect(bytesBehind(file(long, one), { bytes: long.length + 4, crc: crc32(one) })).toBeNull();
  });
});
