import { chmodSync, linkSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPlanText } from "../../../../src/hosts/node/reading/read-plan-file.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { specialFiles } from "../../../support/special-files.ts";

describe("readPlanText", () => {
  it("reads a plan under any of its names, and a read-only one", () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    writeFileSync(at("tasks.md"), "\uFEFF- [ ] 1.1 Größe 📏\r\n");
    linkSync(at("tasks.md"), at("hard.md"));
    symlinkSync("tasks.md", at("link.md"));
    chmodSync(at("tasks.md"), 0o444);
    for (const name of ["tasks.md", "hard.md", "link.md"]) {
      expect(readPlanText(at(name)), name).toBe("\uFEFF- [ ] 1.1 Größe 📏\r\n");
    }
  });

  it.each(specialFiles.filter(([found]) => found !== "a symbolic link"))("T10: refuses %s", (found, make) => {
    const path = join(temporaryFolder(), "tasks.md");
    make(path);
    expect(() => readPlanText(path)).toThrow(`Cannot use \`${path}\`, expected a regular file, found ${found}`);
  });

  it("refuses a plan that is too large or too deep, with its path", () => {
    const path = join(temporaryFolder(), "tasks.md");
    writeFileSync(path, `${"> ".repeat(65)}x\n`);
    expect(() => readPlanText(path)).toThrow(`Cannot use \`${path}\`, expected no more than 64 levels`);
    truncateSync(path, 16 * 1024 * 1024 + 1);
    expect(() => readPlanText(path)).toThrow(`Cannot use \`${path}\`, expected no more than 16 MiB`);
  });
});
