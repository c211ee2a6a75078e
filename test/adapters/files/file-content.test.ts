import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileContent, fileReader, markOf } from "../../../src/adapters/files/file-content.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { openIn } from "../../support/open-in.ts";

const mib = 1024 * 1024;

function large(path: string, size: number): void {
  writeFileSync(path, "");
  truncateSync(path, size);
  utimesSync(path, 1, 1);
}

describe("fileReader", () => {
  it.each<[string, (path: string) => void, FileContent]>([
    ["nothing", () => {}, { kind: "missing" }],
    ["a folder", (path) => mkdirSync(path), { kind: "folder" }],
    ["a file", (path) => writeFileSync(path, "a\n"), { kind: "file", executable: false, bytes: Buffer.from("a\n") }],
    [
      "a program",
      (path) => {
        writeFileSync(path, "a\n");
        chmodSync(path, 0o755);
      },
      { kind: "file", executable: true, bytes: Buffer.from("a\n") },
    ],
    [
      "a file that only others may run",
      (path) => {
        writeFileSync(path, "a\n");
        chmodSync(path, 0o655);
      },
      { kind: "file", executable: false, bytes: Buffer.from("a\n") },
    ],
    ["a link", (path) => symlinkSync("/dev/zero", path), { kind: "link", bytes: Buffer.from("/dev/zero") }],
    ["a link to nothing", (path) => symlinkSync("nö", path), { kind: "link", bytes: Buffer.from("nö") }],
    [
      "a pipe",
      (path) => {
        execFileSync("mkfifo", [path]);
        utimesSync(path, 1, 1);
      },
      { kind: "unread", size: 0, changedAt: 1000 },
    ],
    [
      "a file of 16 MiB",
      (path) => large(path, 16 * mib),
      { kind: "file", executable: false, bytes: Buffer.alloc(16 * mib) },
    ],
    ["a larger file", (path) => large(path, 16 * mib + 1), { kind: "unread", size: 16 * mib + 1, changedAt: 1000 }],
  ])("reads %s", (_, make, content) => {
    const path = join(temporaryFolder(), "x");
    make(path);
    const found = fileReader()(path);
    // Compare bytes separately, because Vitest would print a difference of 16 MiB.
    expect("bytes" in found && "bytes" in content && found.bytes.equals(content.bytes)).toBe("bytes" in content);
    expect({ ...found, bytes: null }).toEqual({ ...content, bytes: null });
    if (existsSync("/proc/self/fd")) expect(openIn(dirname(path))).toBe(0);
  });

  it("returns nothing for unreadable files", () => {
    expect(fileReader()(`/${"x".repeat(300)}`)).toEqual({ kind: "unread", size: 0, changedAt: 0 });
  });

  it("reads 5000 files, without folders and missing ones", () => {
    const folder = temporaryFolder();
    const path = join(folder, "x");
    writeFileSync(path, "x");
    const read = fileReader();
    for (let n = 0; n < 10; n++) for (const none of [folder, `${path}y`]) read(none);
    for (let n = 1; n < 5000; n++) read(path);
    expect(read(path).kind).toBe("file");
    expect(read(path).kind).toBe("unread");
    expect(read(folder).kind).toBe("folder");
    expect(fileReader()(path).kind).toBe("file");
  });

  it("reads 256 MiB in total, and smaller files that still fit", () => {
    const path = join(temporaryFolder(), "x");
    const read = fileReader();
    large(path, 16 * mib);
    for (let n = 1; n <= 15; n++) expect(read(path).kind).toBe("file");
    large(path, 15 * mib);
    expect(read(path).kind).toBe("file");
    large(path, mib + 1);
    expect(read(path).kind).toBe("unread");
    large(path, mib);
    expect(read(path).kind).toBe("file");
    expect(read(path).kind).toBe("unread");
    writeFileSync(path, "");
    expect(read(path).kind).toBe("file");
  });
});

describe("markOf", () => {
  // Hash as printed by `printf a | sha256sum`.
  const hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
  const bytes = Buffer.from("a");
  it.each<[FileContent, string]>([
    [{ kind: "missing" }, "missing"],
    [{ kind: "folder" }, "folder"],
    [{ kind: "unread", size: 5, changedAt: 7 }, "unread:5:7"],
    [{ kind: "file", executable: false, bytes }, `file:${hash}`],
    [{ kind: "file", executable: true, bytes }, `program:${hash}`],
    [{ kind: "link", bytes }, `link:${hash}`],
  ])("marks %j", (content, mark) => {
    expect(markOf(content)).toBe(mark);
  });
});
