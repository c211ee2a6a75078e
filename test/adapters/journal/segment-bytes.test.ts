import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesBefore, bytesBehind, bytesOfSegment, hasPart } from "../../../src/adapters/journal/segment-bytes.ts";
import { temporaryFolder } from "../../support/folder.ts";

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
    expect(() => bytesBehind(join(path, "..", "gone"), { bytes: 1, crc: 0 })).toThrow(gone);
  });

  it("behind a part are found whatever the lengths of lines", () => {
    expect(text(bytesBehind(file(head, long, two), { bytes: 5 + long.length, crc: crc32(long) })?.body)).toBe(two);
    const behind = bytesBehind(file(long, one, two), { bytes: long.length + 4, crc: crc32(one) });
    expect([text(behind?.header), text(behind?.body)]).toEqual([long, two]);
  });

  it("before the next are its first line alone, where it has as many", () => {
    const path = file(head, one, two);
    const before = bytesBefore(path, 9);
    expect([text(before?.header), text(before?.body), before?.from]).toEqual([head, "", 9]);
    expect(bytesBefore(path, 14)).toBeNull();
    expect(text(bytesBefore(file("hea"), 3)?.header)).toBe("");
  });
});
