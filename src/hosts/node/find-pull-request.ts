import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refused } from "../../adapters/files/refused.ts";
import { readBranch } from "../../adapters/git/read-head.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { forgeOf, repositoryOn } from "./start/prepare-shipping.ts";

const numberForm = /^#?([1-9]\d{0,9})$/;
const addressForm =
  /^https?:\/\/([\w.:-]{1,200})\/([\w.-]{1,100})\/([\w.-]{1,100})\/pull\/([1-9]\d{0,9})(?:[/?#].{0,500})?$/;

/** Whether a word is the number or URL of a pull request. */
export const namesPullRequest = (word: string): boolean => numberForm.test(word) || addressForm.test(word);

/**
 * Find the number of a pull request.
 *
 * @param word Number or URL of the pull request; by default, the pull request of the current branch.
 * @throws {InputError} `forge-unknown`, `forge-unreachable`, `forge-refused`, `pull-request-unfit`
 * @throws {EnvironmentError} `forge-hindered`
 */
export async function findPullRequest(
  word: string | undefined,
  { workspace, remote, signal }: { readonly workspace: string; readonly remote: string; readonly signal: AbortSignal },
): Promise<number> {
  if (word === undefined) return await numberOfBranch(workspace, remote, signal);
  const [, number] = numberForm.exec(word) ?? [];
  if (number !== undefined) return Number(number);
  const [, host = "", owner, name, inAddress] = addressForm.exec(word) ?? [];
  const here = await repositoryOn(workspace, remote);
  const given = `${host}/${owner}/${name}`.toLowerCase();
  const own = `${here.host}/${here.owner}/${here.name}`.toLowerCase();
  if (given === own) return Number(inAddress);
  throw new InputError(`Cannot use the pull request of ${given}, expected one of ${own}`, {
    code: "pull-request-unfit",
    hint: "Run in a clone of that repository, or name its remote with --remote",
  });
}

async function numberOfBranch(workspace: string, remote: string, signal: AbortSignal): Promise<number> {
  const branch = await readBranch(workspace);
  const named = branch === null ? null : await (await forgeOf(workspace, remote)).find(branch, null, signal);
  if (named?.kind === "found" && named.state === "open") return named.number;
  if (named?.kind === "refused") {
    throw new InputError(`Cannot find a pull request: ${named.reason}`, { code: "forge-refused", hint: named.hint });
  }
  if (named?.kind === "hindered") {
    throw new EnvironmentError(`Cannot find a pull request: ${named.detail}`, {
      code: "forge-hindered",
      hint: "Run again later, or name the number of the pull request",
    });
  }
  const what = branch === null ? "HEAD names no branch" : `\`${branch}\` does not have exactly one open pull request`;
  throw new InputError(`Cannot tell which pull request is meant: ${what}`, {
    code: "pull-request-unfit",
    hint: "Name the number of the pull request, or open one: fixpoint run --pull-request",
  });
}

interface PullRequestSpec {
  readonly folder: string;
  /** Remove the folder if it was just made and no run has begun in it. */
  leave(): void;
}

/**
 * Find or make the folder of a spec for a pull request. The plan of the spec has only the tasks of the PR phase.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function specForPullRequest(number: number, workspace: string): PullRequestSpec {
  const folder = join(workspace, "specs", `pull-request-${number}`);
  const path = join(folder, "tasks.md");
  const made = refused("write", path, () => {
    const first = mkdirSync(folder, { recursive: true });
    if (existsSync(path)) return null;
    writeFileSync(path, planFor(number), { flag: "wx" });
    return first ?? path;
  });
  return {
    folder,
    leave: () => {
      if (made !== null && String(readdirSync(folder)) === "tasks.md") rmSync(made, { recursive: true });
    },
  };
}

const planFor = (number: number): string =>
  [
    `# Pull request ${number}`,
    "",
    "## Phase 5: PR Lifecycle",
    "",
    "- [ ] 5.1 Checks pass",
    "- [ ] 5.2 Review comments are answered",
    "",
  ].join("\n");
