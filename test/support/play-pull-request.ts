import { openPlan } from "../../src/markdown/document/plan-document.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type ExecutorKind, type Played, playWorld } from "../campaigns/pull-requests/play-world.ts";
import { type CheckKind, type PullRequestWorld, pullRequestWorld } from "../campaigns/pull-requests/world.ts";
import { randomNumbers } from "./random-numbers.ts";

export const minute = 60_000;
const calm = {
  hindered: 0,
  pushes: 0,
  forces: 0,
  closes: 0,
  merges: 0,
  comments: 0,
  outsiders: 0,
  resolves: 0,
  lost: 0,
};
export const check = (behaves: CheckKind["behaves"], id = "test", log?: CheckKind["log"]): CheckKind => ({
  ...{ id, behaves, takes: 10 * minute },
  ...(log !== undefined && { log }),
});

export async function play({
  checks = [check("passes")],
  policy = {},
  commit = "spec",
  executor = { mends: 1, idles: 0 },
  prepare = () => {},
}: {
  checks?: CheckKind[];
  policy?: PolicyInput["pullRequest"];
  commit?: NonNullable<PolicyInput["commit"]>;
  executor?: ExecutorKind;
  prepare?: (world: PullRequestWorld) => void;
} = {}): Promise<Played & { readonly world: PullRequestWorld; readonly acts: string[]; readonly titles: string[] }> {
  const numbers = randomNumbers(1);
  const world = pullRequestWorld({ checks, chances: calm }, numbers);
  prepare(world);
  const played = await playWorld(world, executor, { maxTaskIterations: 2, commit, pullRequest: policy }, numbers);
  const acts = played.records.flatMap((record) => (record.type === "shipping" ? [record.act] : []));
  const titles = openPlan(played.plan).plan.tasks.map(({ id, title }) => `${id} ${title}`);
  return { ...played, world, acts, titles };
}
export const added = ({ titles }: { titles: string[] }): string[] =>
  titles.filter((title) => /^5\.(?:[5-9]|\d\d)/.test(title));
