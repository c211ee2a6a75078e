import { branch } from "../../../adapters/branch.ts";
import { chooseCarrier } from "../../../adapters/forge/choose-carrier.ts";
import { github } from "../../../adapters/forge/github.ts";
import { readRemoteAddress, readRepositoryName } from "../../../adapters/forge/repository-name.ts";
import { callGit } from "../../../adapters/git/call-git.ts";
import { redactSecrets } from "../../../adapters/processes/redact-secrets.ts";
import { InputError } from "../../../model/errors.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Branch } from "../../../ports/branch.ts";
import type { Forge } from "../../../ports/forge.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";

/** What a pull request is made with. */
interface ShippingPorts {
  readonly forge?: Forge;
  readonly branch?: Branch;
}

/**
 * What a pull request is made with, where the policy asks for one: as the caller gives it, else this repository and the
 * forge that its remote is on.
 *
 * @throws {InputError} `forge-unknown`, `forge-unreachable`
 */
export async function shippingPorts(
  { pullRequest }: Pick<Policy, "pullRequest">,
  { forge, branch: given }: Pick<RunOptions, "forge" | "branch">,
  { workspace, spec }: { readonly workspace: string; readonly spec: SpecFolder },
): Promise<ShippingPorts> {
  if (pullRequest === undefined) return {};
  const specFiles = { "tasks.md": spec.tasksPath, ".progress.md": spec.progressPath };
  return {
    branch: given ?? branch({ workspace, specFiles }),
    forge: forge ?? (await forgeOf(workspace, pullRequest.remote)),
  };
}

async function forgeOf(workspace: string, remote: string): Promise<Forge> {
  const { env } = process;
  const url = await callGit(["remote", "get-url", "--", remote], { cwd: workspace });
  const named = env["GH_REPO"] === undefined ? null : readRepositoryName(env["GH_REPO"]);
  const repository = named ?? readRemoteAddress(url?.exitCode === 0 ? url.stdout.trim() : "");
  if (repository === null) {
    throw new InputError(`Cannot tell where pull requests of the remote \`${remote}\` are, expected one on GitHub`, {
      code: "forge-unknown",
      hint: "Add the remote, name another one (`policy.pullRequest.remote`), or set GH_REPO to <owner>/<name>",
    });
  }
  const carrier = chooseCarrier({ cwd: workspace, env, host: repository.host });
  if (typeof carrier !== "function") {
    throw new InputError(`Cannot reach ${repository.host}: ${carrier.reason}`, {
      code: "forge-unreachable",
      hint: carrier.hint,
    });
  }
  return github({ repository, carrier, redact: redactSecrets(env) });
}
