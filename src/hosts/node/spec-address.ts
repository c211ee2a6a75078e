import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFolder, shortPath } from "../../adapters/files/folder.ts";
import type { SpecAddress } from "../../model/command-line.ts";
import { programIn, type SpecFolder, specName } from "./find-spec.ts";

/**
 * How a person names a spec on the command line.
 *
 * @param from The folder that the person is in; the current one when not given.
 * @param cwd Value of `--cwd`; none when not given.
 */
export function specAddress(
  { folder, name }: Pick<SpecFolder, "folder" | "name">,
  { from = process.cwd(), cwd }: { readonly from?: string | undefined; readonly cwd?: string | undefined } = {},
): SpecAddress {
  const workspace = resolve(from, cwd ?? ".");
  const isElsewhere = realOf(workspace) !== realOf(from);
  return {
    program: programIn(),
    spec: nameIn(workspace),
    cwd: isElsewhere ? shortPath(from, workspace) : null,
    path: nameIn(from),
  };

  /** The spec's name when that finds it from this place, else its path. */
  function nameIn(place: string): string {
    const isNamed =
      specName.test(name) && realOf(join(place, "specs", name)) === folder && !isFolder(join(place, name));
    return isNamed ? name : shortPath(realOf(place), folder);
  }
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
