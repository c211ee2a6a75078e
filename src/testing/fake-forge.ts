import type { Look } from "../model/pull-request.ts";
import type { Forge, FoundPullRequest, Refused } from "../ports/forge.ts";
import { type ForgeScript, type ForgeWorld, forgeWorld, type WorldJob, type WorldPullRequest } from "./forge-world.ts";

/** A forge in memory. */
export interface FakeForge extends Forge {
  /** State of the forge. A test may inspect the state, and change it as people do. */
  readonly world: ForgeWorld;
}

/** Create an in-memory forge that takes its reports from a script, carries out requests, and is never unavailable. */
export function fakeForge(script: ForgeScript): FakeForge {
  const world = forgeWorld(script);
  const { headOf, viewer, writers, reviews, defaultBranch } = world.script;
  const found = (pull: WorldPullRequest): FoundPullRequest => ({
    ...{ kind: "found", number: pull.number, url: urlOf(pull.number), head: headOf(pull.branch) ?? "" },
    ...{ base: pull.base, state: pull.state },
  });
  const change = async (number: number, act: (pull: WorldPullRequest) => Refused | undefined) => {
    const pull = world.pulls.find((each) => each.number === number);
    return (pull === undefined ? missing(`pull request ${number}`) : act(pull)) ?? ({ kind: "done" } as const);
  };
  const look = (pull: WorldPullRequest, head: string): Look => ({
    ...{ number: pull.number, url: urlOf(pull.number), state: pull.state, draft: pull.draft, merge: pull.merge },
    ...{ head, branch: pull.branch, base: pull.base, baseHead: headOf(pull.base) ?? "", defaultBranch },
    ...{ fork: false, checksOf: head, checks: world.jobsAt(head).map(checkOf), viewer },
    ...{
      threads: structuredClone(world.threads),
      reviews: structuredClone([...reviews]),
      mayWrite: writers.includes(viewer),
    },
  });
  return {
    world,
    find: async (branch, base) => {
      const all = world.pulls.filter((pull) => pull.branch === branch).toReversed();
      const open = all.filter(({ state }) => state === "open");
      const own = open.find((pull) => pull.base === base);
      if (own === undefined && open.length > 1) return { kind: "several", numbers: open.map(({ number }) => number) };
      const pull = own ?? open[0] ?? all[0];
      return pull === undefined ? { kind: "none" } : found(pull);
    },
    open: async (request) => {
      const { branch, base } = request;
      const there = world.pulls.find((pull) => pull.branch === branch && pull.base === base && pull.state === "open");
      if (there !== undefined) return { ...found(there), created: false };
      for (const name of [branch, base]) if (headOf(name) === null) return missing(`branch \`${name}\``);
      return { ...found(world.open(request)), created: true };
    },
    look: async (number) => {
      const pull = world.pulls.find((each) => each.number === number);
      const head = pull === undefined ? null : headOf(pull.branch);
      if (pull === undefined || head === null) return missing(`pull request ${number}`);
      return { kind: "look", look: look(pull, head) };
    },
    lookAtBase: async (base) => {
      const head = headOf(base);
      if (head === null) return missing(`branch \`${base}\``);
      const checks = world.jobsAt(head).map((job) => ({ ...checkOf(job), required: false }));
      return { kind: "base", look: { head, checks, checked: checks.length > 0 } };
    },
    log: async (job) => {
      const { log = null, step = null } = world.findJob(job)?.check ?? {};
      return { kind: "log", log, step, annotations: [] };
    },
    rerun: async ({ job, head }) => {
      const of = world.findJob(job);
      if (of === null) return missing(`job ${job}`);
      const ran = world.jobsAt(head).find(({ check }) => check.id === of.check.id);
      if (of.head !== head || ran?.attempt !== 1) return { kind: "spent" };
      world.rerun(of);
      return { kind: "done" };
    },
    answer: async ({ number, thread, text, marker }) =>
      change(number, (pull) => {
        const where = world.threads.find(({ id }) => id === thread) ?? pull;
        if (where.comments.some(({ author, body }) => author === viewer && body.includes(marker))) return;
        world.say(where, text.includes(marker) ? text : `${text}\n\n${marker}`);
      }),
    resolve: async (thread) => {
      for (const each of world.threads) if (each.id === thread) each.resolved = true;
      return { kind: "done" };
    },
    may: async (login) => ({ kind: "known", write: writers.includes(login) }),
    updateBranch: async (number, head) =>
      change(number, (pull) => {
        if (pull.merge === "behind" && headOf(pull.branch) === head) pull.merge = "clean";
      }),
    markReady: async (number) =>
      change(number, (pull) => {
        pull.draft = false;
      }),
    enableAutoMerge: async ({ number, head, how }) =>
      change(number, (pull) => {
        if (headOf(pull.branch) !== head)
          return { kind: "refused", reason: "the branch has moved", hint: "Look again" };
        pull.autoMerge ??= how;
      }),
  };
}

const urlOf = (number: number): string => `https://forge.example/pull/${number}`;

const checkOf = ({ job, check, state }: WorldJob) => ({
  ...{ id: check.id, state, required: check.required ?? true, job },
  ...{ since: null, summary: null, url: null },
});

const missing = (what: string): Refused => ({
  ...{ kind: "refused", reason: `the forge has no ${what}`, hint: "Check the script that the test gave to the forge" },
});
