import { createRequire } from "node:module";
import { checkIdentity, repositoryOf } from "../../../adapters/git/repository-of.ts";
import { findCommand } from "../../../adapters/processes/find-command.ts";
import type { SpecFolder } from "../find-spec.ts";
import { askVersion } from "./ask-version.ts";
import { type Finding, ok } from "./finding.ts";

/** Node, and what else has to be installed. */
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

/** @param version Such as `20.19.0`. */
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
 * Check that commits can be made of a workspace and its spec.
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
