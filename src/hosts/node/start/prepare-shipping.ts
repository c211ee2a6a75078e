import { branch as openBranch } from "../../../adapters/branch.ts";
import { chooseCarrier } from "../../../adapters/forge/carrier.ts";
import { type ForgeAddress, readRemoteAddress, readRepositoryName } from "../../../adapters/forge/find-pull-request.ts";
import { github } from "../../../adapters/forge/github.ts";
import { callGit } from "../../../adapters/git/call-git.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { type UnfitBranch, unfitHere, unfitThere } from "../../../effects/shipping/push-branch.ts";
import { InputError, type WayOn } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import type { Branch } from "../../../ports/branch.ts";
import type { Forge } from "../../../ports/forge.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import { optionsIn } from "../executors/resolve-executors.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import type { CommitGuard } from "./commit-guard.ts";

interface PreparedShipping {
  readonly ports: { readonly forge: Forge; readonly branch: Branch };
  /** Create the branch to push, unless it is checked out. Called while the workspace is locked. */
  begin(): Promise<void>;
}

/**
 * Prepare for a pull request: use the forge and branch that the caller passes, by default this repository and the forge
 * of its remote. Checks everything that can be known in advance.
 *
 * @throws {InputError} `forge-unknown`, `forge-unreachable`, and what `checkShipping` throws
 */
export async function prepareShipping(
  { policy, state, fresh }: Pick<StartPoint, "policy" | "state" | "fresh">,
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
 * Connect to the forge of a remote.
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
 * Find the repository of a remote on its forge; GH_REPO overrides the remote.
 *
 * @throws {InputError} `forge-unknown`
 */
export async function repositoryOn(workspace: string, remote: string): Promise<ForgeAddress> {
  const { env } = process;
  const url = await callGit(["remote", "get-url", "--", remote], { cwd: workspace });
  const named = env["GH_REPO"] === undefined ? null : readRepositoryName(env["GH_REPO"]);
  const repository = named ?? readRemoteAddress(url?.exitCode === 0 ? url.stdout.trim() : "");
  if (repository === null) {
    throw new InputError(`Cannot find the pull requests of the remote \`${remote}\`, expected a remote on GitHub`, {
      code: "forge-unknown",
      hint: "Add the remote, name another one with --remote, or set GH_REPO to <owner>/<name>",
    });
  }
  return repository;
}

interface Shipping {
  readonly policy: Policy;
  readonly branch: Branch;
  readonly forge: Forge;
  readonly executors: RunOptions["executors"];
  /** Whether a new run begins. In a continued run, uncommitted changes may be work of the run itself. */
  readonly fresh: boolean;
  /** Whether the run already has a pull request; if so, the run itself handles the state of the pull request. */
  readonly isKnown: boolean;
}

/**
 * Check that a run can lead to a pull request, before anything is delegated. An unreachable forge is not an error: the
 * run itself waits for the forge.
 *
 * @returns The branch to create first; null if it is checked out.
 * @throws {InputError} `executor-cannot-commit`, `branch-unfit`, `base-missing`, `forge-refused`, `pull-request-unfit`
 */
async function checkShipping(shipping: Shipping, signal: AbortSignal): Promise<string | null> {
  const { policy, branch, isKnown, fresh } = shipping;
  /** Uncommitted changes are fine if an attempt of this run left them, or fixpoint commits them. */
  const isLeft = !fresh || policy.commit === "all";
  const wanted = policy.pullRequest as PullRequestPolicy;
  checkCommits(shipping);
  const local = await branch.local();
  const name = wanted.branch ?? local.branch;
  const isNew = fresh && name !== null && name !== local.branch;
  const asItWillBe = { ...local, branch: isNew ? name : local.branch, dirty: isLeft ? [] : local.dirty };
  refuse(unfitHere(asItWillBe, name));
  const names = { remote: wanted.remote, branch: name as string, base: wanted.base };
  const there = await branch.remote(names, signal);
  if (there.kind === "refused") throw refusal({ about: "branch", ...there });
  if (there.kind === "remote") {
    refuse(unfitThere(names.branch, there, wanted));
    const base = wanted.base ?? there.defaultBranch;
    if (!isKnown) await checkForge(shipping, { name: names.branch, base }, signal);
  }
  return isNew ? name : null;
}

function refuse(found: UnfitBranch | null): void {
  if (found !== null) throw refusal(found);
}

const refusal = ({ about, reason, hint }: UnfitBranch): InputError =>
  about === "base"
    ? new InputError(`Cannot make a pull request. ${reason}`, { code: "base-missing", hint })
    : new InputError(`Cannot make a pull request. ${reason}`, { code: "branch-unfit", hint });

async function checkForge(
  { forge, policy }: Shipping,
  { name, base }: { readonly name: string; readonly base: string | null },
  signal: AbortSignal,
): Promise<void> {
  const number = policy.pullRequest?.number ?? null;
  const found = number === null ? await forge.find(name, base, signal) : await forge.look(number, signal);
  if (found.kind === "refused") {
    throw new InputError(`Cannot make a pull request: ${found.reason}`, { code: "forge-refused", hint: found.hint });
  }
  if (found.kind !== "look") return;
  const { state, branch, mayWrite } = found.look;
  if (state !== "open") throw unfitNumber(number, `it is ${state}`, "Name an open pull request");
  if (branch !== name) {
    throw unfitNumber(
      number,
      `it belongs to the branch \`${branch}\`, not to \`${name}\``,
      `Check it out: git switch ${branch}`,
    );
  }
  if (!mayWrite)
    throw unfitNumber(
      number,
      "this login has no permission to write to the repository",
      "Log in as a user who may write there",
    );
}

/**
 * Check that fixpoint or an executor commits, since only commits can be pushed. A preset without `permissions` is
 * refused: whether its tool may commit depends on unknown settings of the tool.
 */
function checkCommits({ policy: { commit, permissions }, executors: { executor, rungs = {} } }: Shipping): void {
  if (commit === "all" || permissions !== "tool") return;
  for (const option of [executor, ...Object.values(rungs)].flatMap(optionsIn)) {
    if (typeof option !== "object" || option.args !== undefined || option.command !== undefined) continue;
    throw new InputError(`Cannot make a pull request: nothing allows ${option.preset} to commit`, {
      code: "executor-cannot-commit",
      ways: [
        { say: "Have fixpoint commit what each attempt leaves", words: ["--commit", "all"] },
        { say: "Or allow the tool to edit, to run Verify and to commit", words: ["--permissions", "edit"] },
      ] satisfies readonly WayOn[],
    });
  }
}

const unfitNumber = (number: number | null, why: string, hint: string): InputError =>
  new InputError(`Cannot use pull request ${number}: ${why}`, { code: "pull-request-unfit", hint });
