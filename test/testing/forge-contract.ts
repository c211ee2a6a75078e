import { deepEqual, equal, ok } from "node:assert/strict";
import type { Forge } from "../../src/ports/forge.ts";
import type { ForgeScript, ForgeWorld } from "../../src/testing/forge-world.ts";
import type { Contract } from "../../src/testing/host.ts";

export type OpenForge = (script: ForgeScript) => Promise<{ readonly forge: Forge; readonly world: ForgeWorld }>;

const { signal } = new AbortController();
const [head, baseHead] = ["a".repeat(40), "b".repeat(40)];
const request = { branch: "work", base: "main", title: "Größe", body: "@x\n`y`", draft: true } as const;
const comment = { id: "C1", author: "ann", bot: false, body: "rename it", at: 0 };
const script: ForgeScript = {
  headOf: (branch) => ({ work: head, main: baseHead })[branch] ?? null,
  checks: () => [
    { id: "CI / test", runs: ["failed", "passed"], log: "✗ adds\n", step: "Run npm test" },
    { id: "CI / lint", runs: ["pending"], required: false },
  ],
  threads: [{ id: "T1", path: "a.ts", line: 3, resolved: false, comments: [comment] }],
  writers: ["bot", "ann"],
};

const begin = async (open: OpenForge) => {
  const opened = await open(script);
  await opened.forge.open(request, signal);
  return opened;
};

async function lookAt(forge: Forge) {
  const answer = await forge.look(1, signal);
  ok(answer.kind === "look");
  return answer.look;
}

export const forgeContract: readonly Contract<OpenForge>[] = [
  {
    name: "opens one pull request for a branch and a base, as requested, and finds it",
    run: async (open) => {
      const { forge, world } = await open(script);
      deepEqual(await forge.find("work", "main", signal), { kind: "none" });
      const first = await forge.open(request, signal);
      const again = await forge.open(request, signal);
      ok(first.kind === "found" && again.kind === "found");
      deepEqual([first.created, again.created, again.number, again.head], [true, false, first.number, head]);
      equal(world.pulls.length, 1);
      const { title, body, draft } = world.pulls[0] ?? {};
      deepEqual([title, body, draft], [request.title, request.body, true]);
      const found = await forge.find("work", null, signal);
      ok(found.kind === "found" && found.base === "main" && found.state === "open");
    },
  },
  {
    name: "reports several open pull requests of other bases, and prefers an open one to a closed one",
    run: async (open) => {
      const { forge, world } = await begin(open);
      world.open({ ...request, base: "next" });
      const several = await forge.find("work", "other", signal);
      ok(several.kind === "several");
      deepEqual([...several.numbers].toSorted(), [1, 2]);
      for (const pull of world.pulls) if (pull.number === 2) pull.state = "closed";
      const found = await forge.find("work", "other", signal);
      ok(found.kind === "found" && found.number === 1);
    },
  },
  {
    name: "returns head, checks and threads",
    run: async (open) => {
      const { forge } = await begin(open);
      const look = await lookAt(forge);
      deepEqual([look.head, look.checksOf, look.branch, look.base], [head, head, "work", "main"]);
      deepEqual([look.baseHead, look.defaultBranch, look.state, look.merge], [baseHead, "main", "open", "clean"]);
      deepEqual([look.draft, look.viewer, look.mayWrite], [true, "bot", true]);
      deepEqual(
        look.checks.map(({ id, state, required }) => [id, state, required]),
        [
          ["CI / test", "failed", true],
          ["CI / lint", "pending", false],
        ],
      );
      deepEqual(look.threads, script.threads);
      const base = await forge.lookAtBase("main", signal);
      ok(base.kind === "base" && base.look.head === baseHead && base.look.checked);
    },
  },
  {
    name: "refuses what does not exist",
    run: async (open) => {
      const { forge } = await begin(open);
      equal((await forge.look(99, signal)).kind, "refused");
      equal((await forge.lookAtBase("gone", signal)).kind, "refused");
      equal((await forge.rerun({ job: "9999", head }, signal)).kind, "refused");
    },
  },
  {
    name: "returns the log of a job and the failed step, and reruns the job once for a head",
    run: async (open) => {
      const { forge } = await begin(open);
      const job = (await lookAt(forge)).checks[0]?.job ?? "";
      const none = (await lookAt(forge)).checks[1]?.job ?? "";
      deepEqual(await forge.log(job, signal), { kind: "log", log: "✗ adds\n", step: "Run npm test", annotations: [] });
      deepEqual(await forge.log(none, signal), { kind: "log", log: null, step: null, annotations: [] });
      deepEqual(await forge.rerun({ job, head }, signal), { kind: "done" });
      const [check] = (await lookAt(forge)).checks;
      equal(check?.state, "passed");
      deepEqual(await forge.rerun({ job: check?.job ?? "", head }, signal), { kind: "spent" });
      // Repeats the first request, like a client that lost the answer.
      deepEqual(await forge.rerun({ job, head }, signal), { kind: "spent" });
    },
  },
  {
    name: "answers a thread once for each of its own markers, and resolves it",
    run: async (open) => {
      const { forge, world } = await begin(open);
      const [thread] = world.threads;
      ok(thread !== undefined);
      world.say(thread, "<!-- m1 -->", "eve");
      const answer = { number: 1, thread: "T1", text: "Done", marker: "<!-- m1 -->" };
      for (const marker of ["<!-- m1 -->", "<!-- m1 -->", "<!-- m2 -->"]) {
        deepEqual(await forge.answer({ ...answer, marker }, signal), { kind: "done" });
      }
      equal(thread.comments.filter(({ author }) => author === "bot").length, 2);
      for (let again = 0; again < 2; again += 1) deepEqual(await forge.resolve("T1", signal), { kind: "done" });
      equal((await lookAt(forge)).threads[0]?.resolved, true);
    },
  },
  {
    name: "reports who may write",
    run: async (open) => {
      const { forge } = await begin(open);
      deepEqual(await forge.may("ann", signal), { kind: "known", write: true });
      deepEqual(await forge.may("eve", signal), { kind: "known", write: false });
    },
  },
  {
    name: "changes a pull request only at the given head",
    run: async (open) => {
      const { forge, world } = await begin(open);
      const [pull] = world.pulls;
      ok(pull !== undefined);
      pull.merge = "behind";
      await forge.updateBranch(1, baseHead, signal);
      equal((await lookAt(forge)).merge, "behind");
      deepEqual(await forge.updateBranch(1, head, signal), { kind: "done" });
      equal((await lookAt(forge)).merge, "clean");
      deepEqual(await forge.markReady(1, signal), { kind: "done" });
      equal((await lookAt(forge)).draft, false);
      equal((await forge.enableAutoMerge({ number: 1, head: baseHead, how: "squash" }, signal)).kind, "refused");
      equal(pull.autoMerge, null);
      deepEqual(await forge.enableAutoMerge({ number: 1, head, how: "squash" }, signal), { kind: "done" });
      equal(pull.autoMerge, "squash");
    },
  },
];
