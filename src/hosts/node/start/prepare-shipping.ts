import { branch as openBranch } from "../../../adapters/branch.ts";
import { chooseCarrier } from "../../../adapters/forge/choose-carrier.ts";
import { github } from "../../../adapters/forge/github.ts";
import { type ForgeAddress, readRemoteAddress, readRepositoryName } from "../../../adapters/forge/repository-name.ts";
import { callGit } from "../../../adapters/git/call-git.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { InputError } from "../../../model/errors.ts";
import type { Branch } from "../../../ports/branch.ts";
import type { Forge } from "../../../ports/forge.ts";
import type { Origin } from "../../../start/origin.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { checkShipping } from "./check-shipping.ts";
import type { CommitGuard } from "./commit-guard.ts";

/** What a start does for a pull request before the run takes over. */
interface PreparedShipping {
  readonly ports: { readonly forge: Forge; readonly branch: Branch };
  /** Make the branch that is to be pushed, unless it is checked out. Called while the workspace is held. */
  begin(): Promise<void>;
}

/**
 * What a pull request is made with, where the policy asks for one: as the caller gives it, else this repository and the
 * forge that its remote is on. All that can be told beforehand is checked.
 *
 * @throws {InputError} `forge-unknown`, `forge-unreachable`, and what `checkShipping` throws
 */
export async function prepareShipping(
  { policy, state, fresh }: Pick<Origin, "policy" | "state" | "fresh">,
  { forge: given, branch: givenBranch, executors, signal }: RunOptions,
  { workspace, spec, guard }: { readonly workspace: string; readonly spec: SpecFolder; readonly guard: CommitGuard },
): Promise<PreparedShipping | null> {
  if (policy.pullRequest === undefined) return null;
  const specFiles = { "tasks.md": spec.tasksPath, ".progress.md": spec.progressPath };
  const { programs, untracked, check } = guard;
  const branch = givenBranch ?? openBranch({ workspace, specFiles, programs, untracked, check });
  const forge = given ?? (await forgeOf(workspace, policy.pullRequest.remote));
  const isKnown = (state?.pullRequest?.number ?? null) !== null;
  const shipping = { policy, branch, forge, executors, fresh, isKnown };
  const name = await checkShipping(shipping, signal ?? new AbortController().signal);
  return {
    ports: { forge, branch },
    begin: async () => {
      const made = name === null ? null : await branch.begin(name);
      if (made?.kind === "refused") throw new InputError(made.reason, { code: "branch-unfit", hint: made.hint });
    },
  };
}

/**
 * The forge that a remote of a workspace is on.
 *
 * @throws {InputError} `forge-unknown`, `forge-unreachable`
 */
export async function forgeOf(workspace: string, remote: string): Promise<Forge> {
  const { env } = process;
  const repository = await repositoryOn(workspace, remote);
  const carrier = chooseCarrier({ cwd: workspace, env, host: repository.host });
  if (typeof carrier !== "function") {
    throw new InputError(`Cannot reach ${repository.host}: ${carrier.reason}`, {
      code: "forge-unreachable",
      hint: carrier.hint,
    });
  }
  return github({ repository, carrier, redact: redactSecrets(env) });
}

/**
 * The repository that a remote of a workspace is, as its forge names it; GH_REPO goes before the remote.
 *
 * @throws {InputError} `forge-unknown`
 */
export async function repositoryOn(workspace: string, remote: string): Promise<ForgeAddress> {
  const { env } = process;
  const url = await callGit(["remote", "get-url", "--", remote], { cwd: workspace });
  const named = env["GH_REPO"] === undefined ? null : readRepositoryName(env["GH_REPO"]);
  const repository = named ?? readRemoteAddress(url?.exitCode === 0 ? url.stdout.trim() : "");
  if (repository === null) {
    throw new InputError(`Cannot tell where pull requests of the remote \`${remote}\` are, expected one on GitHub`, {
      code: "forge-unknown",
      hint: "Add the remote, name another one with --remote, or set GH_REPO to <owner>/<name>",
    });
  }
  return repository;
}
