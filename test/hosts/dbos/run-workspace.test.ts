import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openCheckouts } from "../../../src/hosts/dbos/checkout.ts";
import type { FleetRun } from "../../../src/hosts/dbos/protocol.ts";
import { runWorkspace } from "../../../src/hosts/dbos/run-workspace.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { git, makeRepository, remoteOf } from "./ground.ts";

it("stores a content that was restored, so that another machine begins with it", async () => {
  const workspace = makeRepository("s", { plan: "- [ ] 1.1 First\n", agent: "" });
  const repo = remoteOf(workspace);
  const base = git(workspace, "commit-tree", "-p", "HEAD", "-m", "base", "HEAD^{tree}").trim();
  git(workspace, "push", "-q", "origin", `${base}:refs/fixpoint/r/base`);
  const run: FleetRun = {
    ...{ repo, base, branch: "b", expect: null, spec: "specs/s", policy: {}, agreed: [] },
    executors: { executor: "agent" },
  };
  const machine = (name: string) => {
    const folder = join(workspace, "..", name);
    const checkouts = openCheckouts(folder, "own");
    const place = { run, policy: readPolicy({}), checkouts, folder };
    return runWorkspace({ ...place, id: "r", counted: (part) => part, needed: () => [] });
  };
  const first = machine("first");
  const { checkout, ports } = await first.open();
  const opened = await first.left(1);
  const before = (await ports.trees?.now()) ?? "";
  writeFileSync(join(checkout.folder, "wreck"), "wreck\n");
  const wreck = { commit: await checkout.snapshot("left"), ref: "refs/fixpoint/r/1.1#1/left", head: base };
  await checkout.share(wreck.commit, wreck.ref);
  first.stand(wreck);
  const attempted = await first.left(2);
  expect(await ports.trees?.restore((await ports.trees?.now()) ?? "", before, ["wreck"])).toMatchObject({
    removed: ["wreck"],
  });
  const restored = await first.left(3);

  const second = machine("second");
  for (const left of [opened, attempted, restored]) second.recall(left);
  const there = await second.open();
  expect(existsSync(join(there.checkout.folder, "wreck"))).toBe(false);
});
