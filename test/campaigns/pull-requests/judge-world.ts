import type { PolicyInput } from "../../../src/model/policy.ts";
import { PullRequestPolicy } from "../../../src/model/pull-request-policy.ts";
import type { Played } from "./play-world.ts";
import type { PullRequestWorld } from "./world.ts";

const longestTask = 60 * 60_000;

export function judgeWorld(world: PullRequestWorld, played: Played, given: PolicyInput): string[] {
  const policy = PullRequestPolicy.parse(given.pullRequest);
  const { outcome, records, delegations } = played;
  const wrongs = [...world.wrongs];
  const hold = (holds: boolean, what: string): void => {
    if (!holds) wrongs.push(what);
  };
  const added = records.flatMap((record) => (record.type === "addition" ? [record] : []));
  const causes = added.map(({ cause }) =>
    cause.kind === "check" ? `${cause.check}@${cause.head}` : cause.kind === "thread" ? cause.comment : cause.head,
  );
  hold(outcome !== null, "it ends");
  hold(added.length <= policy.maxCycles, "no more tasks than cycles");
  hold(new Set(causes).size === causes.length, "one task for a cause");
  for (const check of new Set(added.flatMap(({ cause, checks }) => (cause.kind === "check" ? checks : [])))) {
    const count = added.filter(({ checks }) => checks.includes(check)).length;
    hold(count <= policy.maxFixesPerCheck, `no more tasks than fixes of ${check}`);
  }
  const most = 2 * (given.maxTaskIterations ?? 5) * (policy.maxCycles + 1);
  hold([...delegations.values()].reduce((sum, each) => sum + each, 0) <= most, "delegations are bounded");
  for (const { cause } of added) {
    if (cause.kind === "thread") hold(world.writers.has(world.authorOf(cause.comment) ?? ""), "tasks only of writers");
  }
  hold(world.told.opened <= 1, "one pull request");
  for (const [marker, count] of world.told.answers) hold(count === 1, `one answer ${marker}`);
  for (const [job, count] of world.told.reruns) hold(count === 1, `one run more of ${job}`);
  hold(played.greenAtEnd, "ready only when it is green");
  hold(world.now <= played.startedAt + policy.maxTime + longestTask, "it ends in time");
  return wrongs;
}
