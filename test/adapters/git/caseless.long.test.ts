import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { trees } from "../../../src/adapters/git/trees.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { caselessFolder } from "../../support/mount-caseless.ts";
import { commitAll, inFolder, stubIdentity, write } from "./sample-repository.ts";

beforeEach(stubIdentity);

afterEach(() => {
  vi.unstubAllEnvs();
});

const inEveryCase = (path: string, to: string): void => {
  renameSync(path, `${path}.other`);
  renameSync(`${path}.other`, to);
};

const ways = {
  "a name of another case": async (top: string) => inEveryCase(join(top, "Read.txt"), join(top, "READ.txt")),
  "a folder of another case": async (top: string) => inEveryCase(join(top, "Src"), join(top, "src")),
  "a name of another case, after a look without either": async (top: string, look: () => Promise<string | null>) => {
    rmSync(join(top, "Read.txt"));
    await look();
    write(top, "READ.txt", "read\n");
  },
  "a folder of another case, after a look without either": async (top: string, look: () => Promise<string | null>) => {
    rmSync(join(top, "Src"), { recursive: true });
    await look();
    write(top, "src/main.js", "main\n");
  },
} as const;

const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(".git"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1).toLowerCase(), readFileSync(path, "utf8")]),
  );

it.for(Object.entries(ways))("a file system that ignores case loses no file: %s", async ([, way], { skip }) => {
  const place = await caselessFolder();
  if (place === null) return skip("no file system without case can be mounted here");
  const top = join(place, "project");
  mkdirSync(top);
  inFolder(top, "init", "-q", "-b", "main");
  write(top, "Read.txt", "read\n");
  write(top, "Src/main.js", "main\n");
  commitAll(top);
  const specFolder = join(top, "specs/s");
  const open = trees({ workspace: top, specFolder, folder: join(temporaryFolder(), "trees"), onUnknown: () => {} });
  const restore = async (from: string | null, to: string | null) => {
    const changes = await open.changes(from ?? "", to ?? "");
    return open.restore(from ?? "", to ?? "", changes?.map(({ path }) => path) ?? []);
  };
  const before = await open.now();
  await way(top, () => open.now());
  write(top, "added.txt", "added\n");
  const after = await open.now();
  const later = textsIn(top);
  expect(await restore(after, before)).toMatchObject({ left: [] });
  expect(textsIn(top)).toEqual({ "read.txt": "read\n", "src/main.js": "main\n" });
  expect(inFolder(top, "status", "--porcelain")).toBe("");
  expect(await restore(await open.now(), after)).toMatchObject({ left: [] });
  expect(textsIn(top)).toEqual(later);
});
