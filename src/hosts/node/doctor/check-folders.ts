import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkDataFolder } from "../../../adapters/files/folder.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { checkIdentity, repositoryOf } from "../../../adapters/git/read-head.ts";
import { findCommand } from "../../../adapters/processes/shell-command.ts";
import { userBase } from "../../../adapters/user/user-folder.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import type { SpecFolder } from "../find-spec.ts";
import { askVersion, type Finding, findingOf, ok, type ToolPlace } from "./check-tools.ts";

/**
 * Check that a run can write its data.
 *
 * @param folder Absolute folder of the spec, or of several specs.
 * @param dataFolder Absolute folder of the spec's run data, which may not exist yet; null without a spec.
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
    remedy: "Run the spec on one machine only, or move it to a local disk",
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

export async function checkPrograms(workspace: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const sh = findCommand("sh", workspace);
  return [
    checkNode(process.versions.node),
    await checkGit(findCommand("git", workspace), signal),
    sh === null
      ? {
          ...{ about: "sh", level: "error", what: "sh is not on the PATH, and Verify commands run in it" },
          remedy: "Install a POSIX shell, or add its folder to PATH",
        }
      : ok("sh", `sh is ${sh}`),
  ];
}

/** @param version Version of Node, such as `20.19.0`. */
export function checkNode(version: string): Finding {
  const { engines }: { engines: { node: string } } = createRequire(import.meta.url)("fixpoint/package.json");
  const what = `Node ${version}`;
  if (isAtLeast(version, engines.node.replace(">=", ""))) return ok("node", what);
  const remedy = `Install Node ${engines.node}`;
  return { about: "node", level: "error", what: `${what} is too old: ${engines.node} is needed`, remedy };
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

async function checkGit(program: string | null, signal: AbortSignal): Promise<Finding> {
  const lack = "commits can be neither made nor required, and what an attempt changed is not known";
  if (program === null) {
    const remedy = "Install git, or add its folder to PATH";
    return { about: "git", level: "warning", what: `git is not on the PATH: ${lack}`, remedy };
  }
  const asked = await askVersion(program, signal);
  if ("version" in asked) return ok("git", `git ${asked.version}`);
  const what = `git cannot be used (${asked.reason}): ${lack}`;
  return { about: "git", level: "warning", what, remedy: `Try it by hand: ${program} --version` };
}

/**
 * Check that commits can be made in the workspace, for the spec.
 *
 * @param commit Whether the run itself makes commits.
 * @param isKept Whether the config file asks for commits of the executor.
 * @throws {InputError} `repository-missing`, `identity-missing`
 */
export async function checkRepository(
  workspace: string,
  { folder }: SpecFolder,
  { commit, isKept }: { readonly commit: boolean; readonly isKept: boolean },
): Promise<void> {
  await repositoryOf(workspace, folder, isKept);
  if (commit) await checkIdentity(workspace);
}

/** Type numbers of network file systems in `statfs` on Linux. */
const shared = new Map([
  [0x6969, "NFS"],
  [0x65735546, "FUSE"],
  [0x517b, "SMB 1"],
  [0x564c, "NCP"],
  [0x73757245, "Coda"],
  [0x5346414f, "AFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB 2"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);

function sharedFileSystem(folder: string): string | undefined {
  try {
    return shared.get(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
