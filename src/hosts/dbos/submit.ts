import { randomUUID } from "node:crypto";
import { isAbsolute, relative, resolve } from "node:path";
import { fileStore } from "../../adapters/documents/file-store.ts";
import { callGit, gitRefused, reasonOf } from "../../adapters/git/call-git.ts";
import { readRemote, withoutLogin } from "../../adapters/git/call-remote.ts";
import { findRepository, realFolder } from "../../adapters/git/find-repository.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { type PolicyInput, readPolicy } from "../../model/policy.ts";
import type { Role } from "../../model/role.ts";
import { isProtected } from "../../ports/branch.ts";
import { hashOf, shortHash, verifyCommands } from "../node/consent/verify-commands.ts";
import { findSpec } from "../node/find-spec.ts";
import { type FleetRun, runQueue, workflows } from "./protocol.ts";
import { fleetVersion, type Opened, openQueue } from "./sdk.ts";

export interface SubmitOptions {
  /** Address of the database, `postgres://…`. */
  readonly queue: string;
  /** Folder with a `tasks.md`, or the name of a spec under `<workspace>/specs`; the active spec by default. */
  readonly spec?: string;
  /** Folder in the repository (the current folder by default). */
  readonly workspace?: string;
  /** Executor of each role, by the names that workers give their executors. */
  readonly executors: Readonly<Partial<Record<Role, string>>> & { readonly executor: string };
  readonly policy?: PolicyInput;
  /** Settings to agree to in addition to the commands, as shown to the user (none by default). */
  readonly settings?: readonly string[];
  /** Branch to which accepted work is pushed (`fixpoint/<spec>` by default). */
  readonly branch?: string;
  /** The remote that workers fetch from and push to (`origin` by default). */
  readonly remote?: string;
  /**
   * Ask whether the user agrees to the commands of the plan and to the settings. @param hash Short hash of all items.
   */
  readonly agree: (items: readonly string[], hash: string) => boolean | Promise<boolean>;
}

/**
 * Put a spec, as it is in the last commit, into the queue of a fleet.
 *
 * @returns The name of the run.
 * @throws {InputError} `spec-missing`, `spec-not-committed`, `consent-missing`, `branch-protected`, `branch-moved`,
 * `branch-taken`, `branch-unfit`, `policy-invalid`, `queue-invalid`
 * @throws {EnvironmentError} `repository-unreachable`, `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function submitSpec(options: SubmitOptions): Promise<{ readonly run: string; readonly branch: string }> {
  const workspace = resolve(options.workspace ?? process.cwd());
  const { name, folder } = findSpec(options.spec, workspace, "submit");
  const policy = readPolicy(options.policy ?? {});
  const repository = findRepository(folder);
  if (repository === null) throw outside(folder);
  const { top } = repository;
  const spec = relative(top, realFolder(folder));
  const status = await ask(top, ["status", "--porcelain", "--", spec === "" ? "." : spec], "read the state of files");
  if (status !== "") throw uncommitted(name);
  const base = await ask(top, ["rev-parse", "HEAD"], "read HEAD");
  const plain = plainOf(name);
  const branch = options.branch ?? `fixpoint/${plain}`;
  const isName = (await callGit(["check-ref-format", `refs/heads/${branch}`], { cwd: top }))?.exitCode === 0;
  if (!isName) throw noBranch(branch);
  const { repo, expect } = await branchAt(top, options.remote ?? "origin", branch, base);
  const documents = fileStore({ folder, dataFolder: folder });
  const { plan } = await documents.read();
  const found = await verifyCommands(plan, documents, policy.verify);
  const last = policy.finalVerify === null ? [] : [policy.finalVerify];
  const commands = [...new Set([...found.commands, ...found.reality, ...last])];
  const items = [...commands, ...(options.settings ?? [])];
  const hash = shortHash(items);
  if (items.length > 0 && !(await options.agree(items, hash))) throw notAgreed(items, hash);
  const run = `${plain}-${randomUUID().slice(0, 8)}`;
  const opened = await openQueue(options.queue);
  try {
    const other = await runAt(opened, repo, branch);
    if (other !== null) throw taken(branch, other);
    const baseRef = `refs/fixpoint/${run}/base`;
    await push(top, repo, `${base}:${baseRef}`);
    const made: FleetRun = {
      ...{ repo, base, branch, expect, spec },
      ...{ policy: options.policy ?? {}, executors: options.executors, agreed: commands.map(hashOf) },
    };
    // Of two submissions at the same moment, the database accepts one.
    const { workflowID } = await opened.client.enqueue(
      {
        ...{ workflowName: workflows.run, queueName: runQueue, workflowID: run, appVersion: fleetVersion() },
        ...{ deduplicationID: hashOf(JSON.stringify([repo, branch])), duplicationPolicy: "return-existing" },
      },
      made,
    );
    if (workflowID !== run) {
      await push(top, repo, `:${baseRef}`);
      throw taken(branch, workflowID);
    }
    return { run, branch };
  } finally {
    await opened.close();
  }
}

/** Turn the name of a spec into a form that git and the command line accept, for the names of its run and branch. */
const plainOf = (name: string): string => name.match(/\w+/g)?.join("-") ?? "spec";

/** The run that has not ended and pushes to a branch; null if there is none. */
async function runAt({ client }: Opened, repo: string, branch: string): Promise<string | null> {
  const workflowName = workflows.run;
  const open = await client.listWorkflows({ workflowName, status: ["ENQUEUED", "PENDING"], loadOutput: false });
  const found = open.find(({ input }) => {
    const [run] = (input ?? []) as readonly FleetRun[];
    return run?.repo === repo && run.branch === branch;
  });
  return found?.workflowID ?? null;
}

async function ask(cwd: string, args: readonly string[], verb: string): Promise<string> {
  const end = await callGit(args, { cwd });
  if (end?.exitCode !== 0) throw gitRefused(verb, cwd, reasonOf(end));
  return end.stdout.trim();
}

/** Read the address of the remote and the last commit of its branch, which must be an ancestor of `base`. */
async function branchAt(top: string, remote: string, branch: string, base: string) {
  const { signal } = new AbortController();
  const there = await readRemote({ remote, branch, base: null }, { cwd: top }, signal);
  if (there.kind !== "remote") {
    const why = there.kind === "refused" ? there.reason : there.detail;
    throw new EnvironmentError(`Cannot reach the remote \`${remote}\`: ${why}`, {
      code: "repository-unreachable",
      hint: "Check that `git push` works there by hand, or name another remote with --remote",
    });
  }
  if (isProtected(branch) || there.defaultBranch === branch) {
    throw new InputError(
      `Cannot push to \`${branch}\`, expected a branch that is neither protected nor the default one`,
      {
        code: "branch-protected",
        hint: "Name another branch with --branch",
      },
    );
  }
  const { head } = there;
  const follows =
    head === null || (await callGit(["merge-base", "--is-ancestor", head, base], { cwd: top }))?.exitCode === 0;
  if (!follows) {
    throw new InputError(`Cannot continue \`${branch}\`, expected its last commit ${head} to be an ancestor of HEAD`, {
      code: "branch-moved",
      hint: `Check out the branch and submit from there, or name another branch with --branch`,
    });
  }
  const url = withoutLogin(await ask(top, ["remote", "get-url", remote], "read the remote"));
  const isPath = !/^\w[\w+.-]*:/.test(url) && !/^[^/]+:/.test(url);
  return { repo: isPath && !isAbsolute(url) ? resolve(top, url) : url, expect: head };
}

async function push(top: string, repo: string, what: string): Promise<void> {
  const end = await callGit(["push", "-q", repo, what], { cwd: top, remote: true, timeoutMs: 600_000 });
  if (end?.exitCode === 0) return;
  throw new EnvironmentError(`Cannot push to \`${repo}\`: ${reasonOf(end)}`, {
    code: "repository-unreachable",
    hint: "Check that git can push there: address, login, and rights for refs/fixpoint",
  });
}

const outside = (folder: string): InputError =>
  new InputError(`Cannot submit \`${folder}\`, expected it to be in a git repository with a remote`, {
    code: "spec-not-committed",
    hint: "Create a repository, commit the spec, and add a remote that workers can reach",
  });

const uncommitted = (name: string): InputError =>
  new InputError(`Cannot submit \`${name}\`, expected no uncommitted changes to its files`, {
    code: "spec-not-committed",
    hint: "Commit them first: workers get the spec from the repository",
  });

const noBranch = (branch: string): InputError =>
  new InputError(`Cannot push to \`${branch}\`, expected a name that git allows for a branch`, {
    code: "branch-unfit",
    hint: "Name another branch with --branch",
  });

const taken = (branch: string, run: string): InputError =>
  new InputError(`Cannot push to \`${branch}\`, to which the run \`${run}\` pushes until it has ended`, {
    code: "branch-taken",
    hint: `Wait for it, or end it: fixpoint say ${run} stop --queue …. Or name another branch with --branch`,
  });

const notAgreed = (items: readonly string[], hash: string): InputError =>
  new InputError(`Cannot submit the spec, expected your consent to what workers will run: ${items.join(", ")}`, {
    code: "consent-missing",
    hint: `Agree: --accept ${hash}`,
  });
