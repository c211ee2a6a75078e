import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDataFolder } from "../../../adapters/files/data-folder.ts";
import { sharedFileSystem } from "../../../adapters/files/file-system-of.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { userBase } from "../../../adapters/user/user-folder.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import type { ToolPlace } from "./check-tools.ts";
import { type Finding, findingOf, ok } from "./finding.ts";

/**
 * Check that a run can write what it keeps.
 *
 * @param folder Folder of the spec, or one that holds specs. Absolute, like all of these.
 * @param dataFolder Folder of the spec's run data, which may not exist yet; null without a spec.
 */
export function checkFolders(
  folder: string,
  dataFolder: string | null,
  { workspace, address }: Pick<ToolPlace, "workspace" | "address">,
): readonly Finding[] {
  return [
    attempt(address, () => checkRunData(folder, dataFolder)),
    attempt(address, () => ok("folder", `consent is remembered in ${userBase([folder, workspace])}`)),
  ];
}

function checkRunData(folder: string, dataFolder: string | null): Finding {
  if (dataFolder !== null) checkDataFolder(dataFolder);
  const place = dataFolder !== null && existsSync(dataFolder) ? dataFolder : folder;
  probeFolder(place);
  const shared = sharedFileSystem(place);
  const what = `run data can be written in ${place}`;
  if (shared === undefined) return ok("folder", what);
  return {
    ...{ about: "folder", level: "warning" },
    what: `${what}, which is on ${shared}: a run on another machine cannot be seen from here`,
    remedy: "Run the spec on one machine only, or put it on a disk of this one",
  };
}

function attempt(address: SpecAddress, check: () => Finding): Finding {
  try {
    return check();
  } catch (error) {
    return findingOf("folder", error, address);
  }
}

/**
 * Write a file into a folder, and remove it again.
 *
 * @throws {EnvironmentError} `file-refused` when nothing can be written
 */
function probeFolder(path: string): void {
  const folder = refused("write into", path, () => mkdtempSync(join(path, ".fixpoint-probe-")));
  try {
    const file = join(folder, "file");
    refused("write", file, () => writeFileSync(file, "probe\n", { flush: true }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
