import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAtomic } from "../../../src/adapters/files/write-atomic.ts";
import { temporaryFolder } from "../../support/folder.ts";

describe("writeAtomic", () => {
  it("keeps the mode of the file", () => {
    const path = join(temporaryFolder(), "a");
    writeFileSync(path, "old", { mode: 0o600 });
    writeAtomic(path, "new", { temporary: `${path}.tmp`, durable: false });
    expect([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777]).toEqual(["new", 0o600]);
  });

  it.each(["other", "not there"])("I23: replaces a link, and does not change its target: %s", (name) => {
    const [path, other] = [join(temporaryFolder(), "a"), join(temporaryFolder(), "other")];
    writeFileSync(other, "old");
    symlinkSync(join(other, "..", name), path);
    writeAtomic(path, "new", { temporary: `${path}.tmp`, durable: false });
    expect(lstatSync(path).isFile()).toBe(true);
    expect([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777]).toEqual(["new", 0o644]);
    expect(readFileSync(other, "utf8")).toBe("old");
  });

  it("reports why the new file was removed before the rename, and keeps the old one", () => {
    const path = join(temporaryFolder(), "a");
    const temporary = `${path}.tmp`;
    const taken = new Error("taken over");
    writeFileSync(path, "old");
    const check = (): void => {
      if (!existsSync(temporary)) throw taken;
      rmSync(temporary);
    };
    expect(() => writeAtomic(path, "new", { temporary, durable: false, check })).toThrow(taken);
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  it("leaves no draft if the new file cannot be completed", () => {
    const folder = temporaryFolder();
    const path = join(folder, "a");
    const mark = (): never => {
      throw new Error("no space");
    };
    expect(() => writeAtomic(path, "new", { temporary: `${path}.tmp`, durable: false, mark })).toThrow("no space");
    expect(readdirSync(folder)).toEqual([]);
  });
});
