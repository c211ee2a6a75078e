import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ForgeCall } from "../../src/adapters/forge/carrier.ts";
import type { CheckState } from "../../src/model/pull-request.ts";
import type { ScriptedCheck } from "../../src/testing/forge-world.ts";
import { type Fault, githubOf } from "../support/github-of.ts";
import { commits, factsOf, headIn, type PortCall, type ShippedRun, shippedRun } from "../support/shipped-run.ts";
import { git } from "../support/shop-repository.ts";

const [minute, hour] = [60_000, 3_600_000];
const never = (): CheckState => "pending";

const journalOf = ({ workspace }: ShippedRun): number => {
  const folder = join(workspace, "specs/shop/.fixpoint/run-1");
  const segments = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
  return segments.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
};

function noteSizes(shop: ShippedRun): Set<number> {
  const sizes = new Set<number>();
  shop.time.onPause = () => void sizes.add(journalOf(shop));
  return sizes;
}

const waitsIn = ({ events }: ShippedRun): string[] =>
  events.flatMap((event) => (event.type === "pr.waiting" ? [event.reason] : []));

let whole: Promise<{ readonly facts: ReturnType<typeof factsOf>; readonly looks: number }> | undefined;
const undisturbed = () => {
  whole ??= (async () => {
    const shop = shippedRun();
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    return { facts: factsOf(shop), looks: shop.calls.filter((name) => name === "look").length };
  })();
  return whole;
};

describe("a run that waits for its pull request", () => {
  it("waits 48 hours with a request for each poll, and records no unchanged result", async () => {
    const requests: ForgeCall[] = [];
    const shop = shippedRun({
      threads: [],
      checkOf: never,
      policy: { checkStall: 49 * hour },
      reach: githubOf(requests),
    });
    const sizes = noteSizes(shop);
    const begun = shop.time.now();
    expect(await shop.start()).toMatchObject({ outcome: "limit", exitCode: 1 });
    expect(shop.time.now() - begun).toBeGreaterThanOrEqual(48 * hour);
    expect(shop.time.now() - begun).toBeLessThan(49 * hour);
    expect(waitsIn(shop)).toEqual(["checks"]);
    const looks = shop.calls.filter((name) => name === "look").length;
    expect(looks).toBeGreaterThan(900);
    expect(requests.length).toBeLessThanOrEqual(1000);
    expect(requests.length - looks).toBeLessThan(10);
    expect([...sizes]).toHaveLength(1);
  });

  it("asks about a check that never begins and has no known waiting time", async () => {
    const shop = shippedRun({ threads: [], checkOf: never });
    const begun = shop.time.now();
    expect(await shop.start()).toMatchObject({
      outcome: "gate",
      error: "The check `CI / test` has not changed for hours",
    });
    expect(shop.time.now() - begun).toBeGreaterThanOrEqual(6 * hour);
    expect(shop.time.now() - begun).toBeLessThan(7 * hour);
  });

  it("counts the time between starts, and polls at once when it resumes", async () => {
    const shop = shippedRun({ threads: [], checkOf: never, policy: { checkStall: 49 * hour } });
    const stop = new AbortController();
    shop.time.onPause = () => stop.abort();
    expect(await shop.start({ signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    shop.time.set(shop.time.now() + 47 * hour);
    const before = shop.calls.length;
    let isFirst = true;
    shop.time.onPause = () => {
      if (isFirst) expect(shop.calls.slice(before)).toContain("look");
      isFirst = false;
    };
    expect(await shop.start()).toMatchObject({ outcome: "limit" });
    expect(shop.calls.slice(before).filter((name) => name === "look").length).toBeLessThan(25);
    shop.time.onPause = () => expect.unreachable("its time is over");
    expect(await shop.start()).toMatchObject({ outcome: "limit" });
  });

  it("treats three days without a network as one reported wait, and counts them", async () => {
    const requests: ForgeCall[] = [];
    const begun = Date.now();
    const isGone = (): boolean => Date.now() > begun + hour;
    const shop = shippedRun({
      threads: [],
      checkOf: never,
      policy: { checkStall: 49 * hour },
      reach: githubOf(requests, () => (isGone() ? gone : undefined)),
    });
    const sizes = noteSizes(shop);
    expect(await shop.start()).toMatchObject({ outcome: "limit" });
    expect(shop.time.now() - begun).toBeLessThan(49 * hour);
    expect(waitsIn(shop)).toEqual(["checks", "offline"]);
    expect(requests.length).toBeLessThanOrEqual(1000);
    // One journal size for each of the two waits, which add no records.
    expect([...sizes]).toHaveLength(2);
  });

  it("continues if its forge is back after a day", async () => {
    const begun = Date.now();
    const isGone = (): boolean => Date.now() > begun + 5 * minute && Date.now() < begun + 24 * hour;
    const shop = shippedRun({ reach: githubOf([], () => (isGone() ? gone : undefined)) });
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(factsOf(shop)).toEqual((await undisturbed()).facts);
    expect(waitsIn(shop)).toContain("offline");
  });

  it("continues if its remote is back after three hours", async () => {
    let back = Number.POSITIVE_INFINITY;
    const shop = shippedRun({
      work: (task, workspace) => {
        if (task === "5.5") {
          back = Date.now() + 3 * hour;
          git(workspace, "remote", "set-url", "origin", "http://127.0.0.1:9/ann/shop.git");
        }
        return commits(task, workspace);
      },
    });
    const sizes = new Set<number>();
    shop.time.onPause = () => {
      if (Date.now() < back && back < Number.POSITIVE_INFINITY) sizes.add(journalOf(shop));
      else git(shop.workspace, "remote", "set-url", "origin", shop.remote);
    };
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(waitsIn(shop).filter((reason) => reason === "offline")).toHaveLength(1);
    expect([...sizes]).toHaveLength(1);
    expect(factsOf(shop)).toMatchObject({ pushes: 3, lost: [], answers: [1, 1] });
  });

  it.each([
    { how: "is set back and forth", by: -5 * hour, back: true },
    { how: "sleeps for hours", by: 7 * hour, back: false },
  ])("ends as usual if the machine $how while it waits", async ({ by, back }) => {
    const { facts, looks } = await undisturbed();
    const shop = shippedRun();
    let pauses = 0;
    shop.time.onPause = () => {
      pauses += 1;
      if (pauses === 3) shop.time.set(shop.time.now() + by);
      if (pauses === 9 && back) shop.time.set(shop.time.now() - by);
    };
    expect(await shop.start()).toMatchObject({ outcome: "complete" });
    expect(factsOf(shop)).toEqual(facts);
    // The run does not make up for polls that it missed during sleep.
    expect(shop.calls.filter((name) => name === "look").length).toBeLessThan(looks + 12);
  });

  it("does not report green before checks appear, or while a rerun check is missing", async () => {
    const seen: string[] = [];
    let isRerun = false;
    const after = ({ name }: PortCall): void => {
      if (name === "rerun") isRerun = true;
    };
    const shop = shippedRun({
      threads: [],
      checks: (head) => {
        const age = shop.time.now() - begun;
        const isBack = age > 30 * minute;
        const other: ScriptedCheck = { id: "CI / lint", runs: ["passed"] };
        if (age < 5 * minute) return [];
        if (!isRerun) return [other, { id: "CI / test", runs: ["failed"] }];
        seen.push(isBack ? head : "gone");
        return isBack ? [other, { id: "CI / test", runs: ["failed", "passed"] }] : [other];
      },
    });
    const begun = shop.time.now();
    expect(await shop.start({ disturb: { after } })).toMatchObject({ outcome: "complete" });
    expect(shop.time.now() - begun).toBeGreaterThan(30 * minute);
    expect(seen.filter((each) => each === "gone").length).toBeGreaterThan(2);
    expect(factsOf(shop)).toMatchObject({ pushes: 1, delegations: { "1.1": 1 } });
    expect(shop.events.map(({ type }) => type)).toContain("check.flaky");
  });

  it("does not rerun a check that a person reran", async () => {
    let isDone = false;
    const shop = shippedRun({ threads: [] });
    const before = ({ name }: PortCall): void => {
      if (name !== "rerun" || isDone) return;
      isDone = true;
      for (const job of shop.world.jobsAt(headIn(shop.remote, "work") ?? "")) shop.world.rerun(job);
    };
    expect(await shop.start({ disturb: { before } })).toMatchObject({ outcome: "complete" });
    expect(factsOf(shop).runs).toEqual([["CI / test 2"], ["CI / test 1"]]);
  });
});

const gone = Promise.resolve<Fault>({ kind: "offline", detail: "getaddrinfo ENOTFOUND api.github.com" });
