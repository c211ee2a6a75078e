import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAtomic } from "../../src/adapters/write-atomic.ts";
import { temporaryFolder } from "../support/folder.ts";

describe("writeAtomic", () => {
  it("keeps the mode of the file", () => {
    const path = join(temporaryFolder(), "a");
    writeFileSync(path, "old", { mode: 0o600 });
    writeAtomic(path, "new", { temporary: `${path}.tmp`, durable: false });
    expect([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777]).toEqual(["new", 0o600]);
  });

  it.each(["other", "not there"])("I23: takes the place of a link, and leaves what it leads to: %s", (name) => {
    const [path, other] = [join(temporaryFolder(), "a"), join(temporaryFolder(), "other")];
    writeFileSync(other, "old");
    symlinkSync(join(other, "..", name), path);
    writeAtomic(path, "new", { temporary: `${path}.tmp`, durable: false });
    expect(lstatSync(path).isFile()).toBe(true);
    expect([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777]).toEqual(["new", 0o644]);
    expect(readFileSync(other, "utf8")).toBe("old");
  });
});
