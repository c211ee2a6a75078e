import { execFileSync } from "node:child_process";
import type { Look } from "../../../src/model/pull-request.ts";
import type { Branch } from "../../../src/ports/branch.ts";
import type { Forge } from "../../../src/ports/forge.ts";

const url = "https://forge.example/7";
const base = "b".repeat(40);

export function shippingOver(workspace: string): { readonly branch: Branch; readonly forge: Forge } {
  const pushed: string[] = [];
  const unused = () => Promise.reject(new Error("not asked for"));
  const last = (): string | null => pushed.at(-1) ?? null;
  const head = (): string => execFileSync("git", ["rev-parse", "HEAD"], { cwd: workspace, encoding: "utf8" }).trim();
  const look = (): Look => ({
    ...{
      number: 7,
      url,
      state: "open",
      draft: false,
      head: last() ?? "",
      branch: "work",
      base: "main",
      baseHead: base,
    },
    ...{ defaultBranch: "main", fork: false, merge: "clean", checksOf: last() ?? "", threads: [], reviews: [] },
    ...{ viewer: "bot", mayWrite: true },
    checks: [
      {
        ...{ id: "CI / test", state: pushed.length > 1 ? "passed" : "failed", required: true, job: "1", since: 0 },
        ...{ summary: null, url: null },
      },
    ],
  });
  const found = () => ({ kind: "found", number: 7, url, head: last() ?? "", base: "main", state: "open" }) as const;
  let isOpen = false;
  return {
    branch: {
      local: async () => ({ head: head(), branch: "work", dirty: [] }),
      remote: async () => ({
        ...{
          kind: "remote",
          url: "https://forge.example/a/b.git",
          defaultBranch: "main",
          head: last(),
          baseHead: base,
        },
      }),
      ahead: async () => ({
        ...{ kind: "ahead", commits: [{ hash: head(), subject: "Work" }], count: 1, paths: ["src/1.1.ts"] },
      }),
      push: async ({ commit }) => {
        pushed.push(commit);
        return { kind: "pushed" };
      },
      adopt: unused,
      begin: async () => ({ kind: "done" }),
    },
    forge: {
      find: async () => (isOpen ? found() : { kind: "none" }),
      open: async () => {
        isOpen = true;
        return { ...found(), created: true };
      },
      look: async () => ({ kind: "look", look: look() }),
      lookAtBase: async () => ({ kind: "base", look: { head: base, checks: [], checked: true } }),
      log: async () => ({ kind: "log", log: "not ok 1 - adds\n", step: null, annotations: [] }),
      rerun: async () => ({ kind: "done" }),
      answer: unused,
      resolve: unused,
      may: unused,
      updateBranch: unused,
      markReady: unused,
      enableAutoMerge: unused,
    },
  };
}
