import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findSpecs, specsBeside, workspaceFor } from "../../../src/hosts/node/find-specs.ts";
import { findWatched } from "../../../src/hosts/node/watch/list-room.ts";
import { temporaryFolder } from "../../support/folder.ts";

function folderWith(specs: readonly string[]): string {
  const folder = realpathSync(temporaryFolder());
  for (const spec of specs) {
    mkdirSync(join(folder, spec), { recursive: true });
    writeFileSync(join(folder, spec, "tasks.md"), "- [ ] 1.1 One\n");
  }
  return folder;
}

it("sees hidden folders in which a dialect keeps its specs, but no other hidden folders, and no copies", () => {
  const seen = [".claude/specs/a", ".kiro/specs/b", "openspec/changes/c", "specs/d", "worktrees/e"];
  const unseen = [".git/f", ".claude/worktrees/g/specs/a", "node_modules/h"];
  const folder = folderWith([...seen, ...unseen]);
  const found = seen.map((spec) => join(folder, spec));
  expect(findSpecs(folder)).toEqual(found);
  expect(findWatched(".", folder)).toMatchObject({ specs: found });
  expect(findWatched(undefined, folder)).toMatchObject({ folder, specs: found.slice(0, 4) });
});

it("takes the folder above the place of a spec as its workspace, and the specs in that place as its neighbours", () => {
  const folder = folderWith([".kiro/specs/a", ".kiro/specs/b", "openspec/changes/c", "specs/d", "docs/e"]);
  const at = (...specs: string[]) => specs.map((spec) => join(folder, spec));
  for (const spec of at(".kiro/specs/a", "openspec/changes/c", "specs/d")) {
    expect(workspaceFor(spec, join(folder, "docs"))).toBe(folder);
  }
  expect(workspaceFor(join(folder, "docs/e"), join(folder, "docs"))).toBe(join(folder, "docs"));
  expect(specsBeside(join(folder, ".kiro/specs/a"))).toEqual(at(".kiro/specs/a", ".kiro/specs/b"));
  expect(specsBeside(join(folder, "docs/e"))).toEqual(at("docs/e"));
});
