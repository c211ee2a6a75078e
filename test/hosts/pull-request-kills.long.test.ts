import { describe, expect, it } from "vitest";
import { commits, factsOf, Killed, type PortCall, type ShippedRun, shippedRun } from "../support/shipped-run.ts";
import { someCases } from "../support/some-cases.ts";
import { callCli } from "./cli/call-cli.ts";

const policy = { autoMerge: "squash" } as const;

let whole: Promise<ReturnType<typeof factsOf>> | undefined;
const undisturbed = () => {
  whole ??= (async () => {
    const shop = shippedRun({ policy });
    expect(await shop.start()).toMatchObject({ outcome: "complete", shipped: { number: 1 } });
    return factsOf(shop);
  })();
  return whole;
};

async function endsAsUndisturbed(shop: ShippedRun): Promise<void> {
  expect(await shop.start()).toMatchObject({ outcome: "complete", exitCode: 0, shipped: { number: 1 } });
  expect(factsOf(shop)).toEqual(await undisturbed());
}

type Moment = readonly [when: "before" | "after", name: string, number: number];

const moments: readonly Moment[] = [
  ["before", "remote", 2],
  ["before", "push", 1],
  ["after", "push", 1],
  ["before", "open", 1],
  ["after", "open", 1],
  // At this call, the milestone of the opened pull request is already ticked.
  ["before", "look", 1],
  ["before", "may", 1],
  // After this call, the plan contains the task for the review thread.
  ["after", "push", 2],
  ["before", "answer", 1],
  ["after", "answer", 1],
  ["before", "resolve", 1],
  ["after", "resolve", 1],
  // At this call, the run polls for the end of the checks.
  ["before", "look", 6],
  ["before", "rerun", 1],
  ["after", "rerun", 1],
  ["before", "log", 1],
  ["before", "lookAtBase", 1],
  ["after", "push", 3],
  ["before", "markReady", 1],
  ["after", "markReady", 1],
  ["after", "enableAutoMerge", 1],
];
async function killedAt(shop: ShippedRun, [when, name, number]: Moment): Promise<void> {
  const kill = (call: PortCall) => {
    if (call.name === name && call.number === number) throw new Killed();
  };
  await expect(shop.start({ disturb: { [when]: kill } })).rejects.toThrow(Killed);
}

describe("a run that makes a pull request", () => {
  it("pushes three heads, opens one pull request, reruns a red check once and replies once", async () => {
    expect(await undisturbed()).toMatchObject({
      pulls: [{ state: "open", draft: false, base: "main", branch: "work" }],
      ...{ pushes: 3, lost: [], defaultBranch: 0, isHere: true, answers: [1, 1], resolved: [true] },
      runs: [["CI / test 1"], ["CI / test 2"], ["CI / test 1"]],
      delegations: { "1.1": 1, "5.5": 1, "5.6": 1 },
    });
  });

  it("logs its position, the tasks added for it, and its outcome", async () => {
    const { progress } = await undisturbed();
    const [, told = ""] = progress.split("## Pull Request\n");
    expect(told.split("\n\n")[0]?.split("\n")).toEqual([
      "- PR 1: <forge>/pull/1",
      "- PR 1: task 5.5: Address review: ann - Rename it",
      "- PR 1: task 5.6: Fix CI failure: CI / test - adds",
      "- PR 1: ready at <hash>",
    ]);
  });

  it("is undone by a reset, with its tasks, ticks of milestones and log lines", async () => {
    const shop = shippedRun({ policy });
    const before = shop.read("tasks.md");
    await shop.start();
    expect(await callCli(shop.workspace, ["reset", "shop", "--yes"])).toMatchObject({ exitCode: 0 });
    expect([shop.read("tasks.md"), shop.read(".progress.md")]).toEqual([before, ""]);
  });

  it.each(someCases(moments, 3, 1))("ends the same if it is killed %s %s %i", async (...moment) => {
    const shop = shippedRun({ policy });
    await killedAt(shop, moment);
    await endsAsUndisturbed(shop);
  });

  it("ends the same if it is killed after each effect", async () => {
    const shop = shippedRun({ policy });
    for (const name of ["push", "open", "push", "answer", "resolve", "rerun", "push", "markReady", "enableAutoMerge"]) {
      // Kills at the next call of this name, because a resumed start repeats most calls of its predecessor.
      await killedAt(shop, ["after", name, shop.calls.filter((each) => each === name).length + 1]);
    }
    await endsAsUndisturbed(shop);
  });

  it.each(["pr.task", "pr.pushed", "review.answered", "check.rerun", "pr.waiting"] as const)(
    "ends the same if it is stopped at %s",
    async (type) => {
      const shop = shippedRun({ policy });
      const stop = new AbortController();
      const stopped = await shop.start({
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === type) stop.abort();
        },
      });
      expect(stopped).toMatchObject({ outcome: "interrupted" });
      await endsAsUndisturbed(shop);
    },
  );

  it("delegates an interrupted task once more, and writes it into the plan once", async () => {
    const stop = new AbortController();
    const shop = shippedRun({
      policy,
      work: (task, workspace) => {
        if (task !== "5.5" || stop.signal.aborted) return commits(task, workspace);
        stop.abort();
        return "nothing yet";
      },
    });
    expect(await shop.start({ signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    const { delegations, ...facts } = await undisturbed();
    expect(factsOf(shop)).toEqual({ ...facts, delegations: { ...delegations, "5.5": 2 } });
  });
});
