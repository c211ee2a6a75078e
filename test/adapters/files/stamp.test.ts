import fs, { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { markOwn, sameStamp, stampIn } from "../../../src/adapters/files/own-file.ts";
import { temporaryFolder } from "../../support/folder.ts";

const stamp = { ino: 1n, size: 2n, mtimeNs: 3n };

function open(refusal?: string) {
  const path = join(temporaryFolder(), "a");
  writeFileSync(path, "content");
  const file = openSync(path, "r+");
  const { futimesSync } = fs;
  const put = (by: typeof futimesSync): void => {
    fs.futimesSync = by;
    syncBuiltinESMExports();
  };
  if (refusal !== undefined) {
    put(() => {
      throw Object.assign(new Error(refusal), { code: refusal });
    });
  }
  onTestFinished(() => {
    put(futimesSync);
    closeSync(file);
  });
  return { path, file };
}

describe("sameStamp", () => {
  it.each(["ino", "size", "mtimeNs"])("detects another file by its %s", (name) => {
    expect(sameStamp(stamp, { ...stamp })).toBe(true);
    expect(sameStamp(stamp, { ...stamp, [name]: 4n })).toBe(false);
    expect(sameStamp({ ino: 9n, size: 9n, mtimeNs: 9n, [name]: stamp[name as keyof typeof stamp] }, stamp)).toBe(false);
    expect(sameStamp(undefined, stamp)).toBe(false);
  });
});

describe("markOwn", () => {
  it("sets a file's own time, with a fraction that no clock tick has", () => {
    const { path, file } = open();
    const before = BigInt(Date.now());
    const marked = markOwn(file);
    expect(marked).toEqual(stampIn(statSync(path, { bigint: true })));
    const [milliseconds, rest] = [marked.mtimeNs / 1_000_000n, marked.mtimeNs % 1_000_000n];
    expect(milliseconds >= before && milliseconds <= BigInt(Date.now())).toBe(true);
    expect(rest > 120_000n && rest < 126_000n).toBe(true);
  });

  it("does not change a file of another user", () => {
    const { path, file } = open("EPERM");
    const before = stampIn(statSync(path, { bigint: true }));
    expect(markOwn(file)).toEqual(before);
  });

  it("reports other errors of the system", () => {
    const { file } = open("EIO");
    expect(() => markOwn(file)).toThrow("EIO");
  });
});
