import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readTreeMarks } from "../../../src/adapters/file-state.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { commitAll, inFolder, repository, sample, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

async function marksOf(top: string, isLeftOut = (_path: string): boolean => false): Promise<readonly string[]> {
  const found = await readTreeMarks(top, isLeftOut);
  return found.kind === "known" ? found.marks : [found.kind];
}

describe("readTreeMarks", () => {
  it("marks HEAD, and differences from it by path, staged or not", async () => {
    const { top, first } = sample();
    const head = `HEAD ${first}`;
    expect(await marksOf(top)).toEqual([head]);
    write(top, "src/a.ts", "b\n");
    write(top, "src/0.ts", "b\n");
    rmSync(join(top, "spec/tasks.md"));
    // Hash as printed by `printf 'b\n' | sha256sum`.
    const file = "file:0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f";
    const marks = [head, '"spec/tasks.md" missing', `"src/0.ts" ${file}`, `"src/a.ts" ${file}`];
    expect(await marksOf(top)).toEqual(marks);
    inFolder(top, "add", "src/0.ts");
    expect(await marksOf(top)).toEqual(marks);
    inFolder(top, "add", "--all");
    expect(await marksOf(top)).toEqual(marks);
    expect(await marksOf(top, (path) => path === join(top, "src/0.ts"))).toEqual([...marks.slice(0, 2), marks[3]]);
  });

  it("ignores differences in the index only", async () => {
    const { top } = sample();
    write(top, "program");
    chmodSync(join(top, "program"), 0o755);
    symlinkSync("src", join(top, "link"));
    const head = `HEAD ${commitAll(top)}`;
    inFolder(top, "rm", "-q", "--cached", "program", "link", "src/a.ts");
    expect(await marksOf(top)).toEqual([head]);
    inFolder(top, "reset", "-q");
    inFolder(top, "update-index", "--chmod=-x", "program");
    expect(await marksOf(top)).toEqual([head]);
  });

  it("marks a file that became executable, and one that was or became a link", async () => {
    const { top } = sample();
    symlinkSync("src/a.ts", join(top, "link"));
    write(top, "text", "src/a.ts");
    const head = `HEAD ${commitAll(top)}`;
    chmodSync(join(top, "src/a.ts"), 0o755);
    rmSync(join(top, "link"));
    write(top, "link", "src/a.ts");
    rmSync(join(top, "text"));
    symlinkSync("src/a.ts", join(top, "text"));
    expect((await marksOf(top)).map((line) => line.replace(/:.*/, ""))).toEqual([
      head,
      '"link" file',
      '"src/a.ts" program',
      '"text" link',
    ]);
  });

  it("marks only the differences in a repository with longer hashes", async () => {
    const top = temporaryFolder();
    inFolder(top, "init", "-q", "-b", "main", "--object-format=sha256");
    write(top, "a.ts");
    write(top, "b.ts");
    const head = `HEAD ${commitAll(top)}`;
    inFolder(top, "rm", "-q", "--cached", "a.ts");
    expect(await marksOf(top)).toEqual([head]);
    write(top, "b.ts", "x\n");
    expect(await marksOf(top)).toEqual([head, expect.stringMatching(/^"b\.ts" file:/)]);
  });

  it("marks the HEAD and the files of a nested repository, but not through a link", async () => {
    const { top, first } = sample();
    const other = repository();
    symlinkSync(other, join(top, "link"));
    mkdirSync(join(top, "nested"));
    inFolder(join(top, "nested"), "init", "-q", "-b", "main");
    write(join(top, "nested"), "a.ts");
    write(join(top, "nested"), "b.ts");
    const hash = commitAll(join(top, "nested"));
    const isLeftOut = (path: string): boolean => path === join(top, "nested/b.ts");
    expect(await marksOf(top, isLeftOut)).toEqual([
      `HEAD ${first}`,
      expect.stringMatching(/^"link" link:/),
      '"nested/" folder',
      JSON.stringify({ kind: "commit", hash }),
      expect.stringMatching(new RegExp(`^"${top}/nested/a\\.ts" file:`)),
    ]);
  });

  it("returns nothing outside of a repository", async () => {
    expect(await marksOf(temporaryFolder())).toEqual(["outside"]);
  });
});
