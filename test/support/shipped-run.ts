import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branch as openBranch } from "../../src/adapters/branch.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { RunEnded, TimedRunEvent } from "../../src/model/event.ts";
import type { CheckState } from "../../src/model/pull-request.ts";
import type { PullRequestPolicyInput } from "../../src/model/pull-request-policy.ts";
import type { Branch } from "../../src/ports/branch.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { fakeForge } from "../../src/testing/fake-forge.ts";
import type { ForgeScript, ForgeWorld, ScriptedCheck } from "../../src/testing/forge-world.ts";
import { temporaryFolder } from "./folder.ts";
import { type HeldTime, holdTime } from "./held-time.ts";
import { git, shopRepository } from "./shop-repository.ts";

const minute = 60_000;

export interface PortCall {
  readonly name: string;
  /** Counted from 1 among calls of the same name, over all starts. */
  readonly number: number;
}

interface Disturbance {
  readonly before?: (call: PortCall) => void;
  readonly after?: (call: PortCall) => void;
}

export class Killed extends Error {}

export interface ShippedRun {
  readonly remote: string;
  readonly workspace: string;
  readonly world: ForgeWorld;
  readonly time: HeldTime;
  readonly events: TimedRunEvent[];
  readonly calls: string[];
  readonly delegations: Map<string, number>;
  readonly prompts: string[];
  start(options?: StartOptions): Promise<RunEnded>;
  personPushes(how?: "forward" | "forced"): string;
  read(file: string): string;
}

interface StartOptions {
  readonly disturb?: Disturbance;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: TimedRunEvent) => void;
  readonly policy?: PullRequestPolicyInput;
  readonly finalVerify?: string;
}

interface ShopOptions {
  /** Default: decided ten minutes after the push, and failing until a commit contains `fixed`. */
  readonly checkOf?: (head: string, age: number) => CheckState;
  readonly checks?: (head: string) => readonly ScriptedCheck[];
  readonly threads?: ForgeScript["threads"];
  readonly reach?: (world: ForgeWorld, forge: Forge, time: HeldTime) => Forge;
  readonly policy?: PullRequestPolicyInput;
  readonly work?: (task: string, workspace: string) => string;
}

export const rename = { id: "c1", author: "ann", bot: false, body: "Rename it", at: 0 };
export const thread = { id: "t1", path: "a.txt", line: 1, resolved: false, comments: [rename] };

const plan = `# Tasks

- [ ] 1.1 Build it

## Phase 5: PR Lifecycle

- [ ] 5.1 Create the PR
- [ ] 5.2 CI checks pass
- [ ] 5.3 Address review comments
- [ ] 5.4 Final validation
`;

export function shippedRun(options: ShopOptions = {}): ShippedRun {
  const time = holdTime();
  const { remote, workspace } = shopRepository();
  // Makes every push leave an entry in the reflog.
  git(remote, "config", "core.logAllRefUpdates", "always");
  writeFileSync(join(workspace, "specs/shop/tasks.md"), plan);
  git(workspace, "commit", "-qam", "plan");
  const headOf = (name: string): string | null => headIn(remote, name);
  const pushed = new Map<string, number>();
  const fixed = new Map<string, boolean>();
  const isFixed = (head: string): boolean => {
    const known = fixed.get(head) ?? git(remote, "show", `${head}:a.txt`).includes("fixed");
    fixed.set(head, known);
    return known;
  };
  const redUntilFixed = (head: string, age: number): CheckState =>
    age < 10 * minute ? "pending" : isFixed(head) ? "passed" : "failed";
  const ageOf = (head: string): number => {
    const since = pushed.get(head) ?? time.now();
    pushed.set(head, since);
    return time.now() - since;
  };
  const log = "##[group]Run npm test\n##[endgroup]\nnot ok 1 - adds\n##[error]Process completed with exit code 1.";
  const { checkOf = redUntilFixed, threads = [thread], policy = {}, work = commits } = options;
  const forge = fakeForge({
    ...{ headOf, threads, writers: ["bot", "ann"], now: time.now },
    checks: options.checks ?? ((head) => [{ id: "CI / test", runs: [checkOf(head, ageOf(head))], log }]),
  });
  const way = options.reach?.(forge.world, forge, time) ?? forge;
  const spec = join(workspace, "specs/shop");
  const specFiles = { "tasks.md": join(spec, "tasks.md"), ".progress.md": join(spec, ".progress.md") };
  const here = openBranch({ workspace, specFiles });
  const events: TimedRunEvent[] = [];
  const calls: string[] = [];
  const delegations = new Map<string, number>();
  const prompts: string[] = [];
  const noticing = <Port extends object>(port: Port, { before, after }: Disturbance): Port =>
    new Proxy(port, {
      get: (target, name: string) => {
        const method = target[name as keyof Port];
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          calls.push(name);
          const call = { name, number: calls.filter((each) => each === name).length };
          before?.(call);
          const answer: unknown = await method.apply(target, given);
          after?.(call);
          return answer;
        };
      },
    });
  return {
    ...{ remote, workspace, world: forge.world, time, events, calls, delegations, prompts },
    start: ({ disturb = {}, signal, onEvent, policy: more = {}, finalVerify } = {}) =>
      runSpec({
        ...{ workspace, spec: "shop", yes: true },
        ...{ forge: noticing<Forge>(way, disturb), branch: noticing<Branch>(here, disturb) },
        ...(signal !== undefined && { signal }),
        onEvent: (event) => {
          events.push(event);
          onEvent?.(event);
        },
        executors: {
          executor: async ({ taskId, prompt }) => {
            prompts.push(prompt);
            delegations.set(taskId, (delegations.get(taskId) ?? 0) + 1);
            return work(taskId, workspace);
          },
        },
        policy: {
          pullRequest: { ready: true, draft: true, resolveThreads: "all", ...policy, ...more },
          ...(finalVerify !== undefined && { finalVerify }),
        },
      }),
    personPushes: (how = "forward") => {
      const clone = join(temporaryFolder(), "person");
      git(remote, "clone", "-q", "-b", how === "forced" ? "main" : "work", remote, clone);
      writeFileSync(join(clone, "theirs.txt"), "theirs\n");
      git(clone, "add", "theirs.txt");
      git(clone, "commit", "-qm", "theirs");
      git(clone, "push", "-q", ...(how === "forced" ? ["--force"] : []), "origin", "HEAD:work");
      return git(clone, "rev-parse", "HEAD");
    },
    read: (file) => (existsSync(join(spec, file)) ? readFileSync(join(spec, file), "utf8") : ""),
  };
}

/** Commits nothing if the file exists. A fix of a CI failure also repairs the check. */
export function commits(task: string, workspace: string): string {
  const file = join(workspace, "done", task);
  mkdirSync(join(workspace, "done"), { recursive: true });
  if (!existsSync(file)) {
    writeFileSync(file, "done\n");
    const isFix = readFileSync(join(workspace, "specs/shop/tasks.md"), "utf8").includes(` ${task} Fix CI failure`);
    appendFileSync(join(workspace, "a.txt"), isFix ? "fixed\n" : "more\n");
    git(workspace, "add", "--", "done", "a.txt");
    git(workspace, "commit", "-qm", `work on ${task}`);
  }
  return "TASK_COMPLETE";
}

export function factsOf({ remote, workspace, world, delegations, read }: ShippedRun) {
  const comments = world.threads.flatMap((each) => each.comments).filter(({ author }) => author === "bot");
  const markers = comments.map(({ body }) => /<!--.*?-->/.exec(body)?.[0]);
  const heads = movesOf(remote, "work");
  const lost = heads.slice(0, -1).filter((head, at) => !isIn(remote, head, heads[at + 1] ?? ""));
  return {
    pulls: world.pulls.map(({ state, draft, base, branch }) => ({ state, draft, base, branch })),
    answers: [comments.length, new Set(markers).size],
    resolved: world.threads.map(({ resolved }) => resolved),
    runs: heads.map((head) => world.jobsAt(head).map(({ check, attempt }) => `${check.id} ${attempt}`)),
    pushes: heads.length,
    lost,
    defaultBranch: movesOf(remote, "main").length,
    isHere: headIn(remote, "work") === git(workspace, "rev-parse", "HEAD"),
    tasks: read("tasks.md"),
    progress: read(".progress.md")
      .replace(/\b[0-9a-f]{7,40}\b/g, "<hash>")
      .replace(/https:\/\/\S+(?=\/pull\/)/g, "<forge>"),
    delegations: Object.fromEntries(delegations),
  };
}

export function headIn(remote: string, name: string): string | null {
  // Reads the file of the ref, because hundreds of calls of git would take longer.
  const path = join(remote, "refs/heads", name);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

export function movesOf(remote: string, branch: string): string[] {
  const path = join(remote, "logs/refs/heads", branch);
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.slice(41, 81))
    : [];
}

export function isIn(repository: string, commit: string, head: string): boolean {
  return git(repository, "rev-list", head).split("\n").includes(commit);
}
