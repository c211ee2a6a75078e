import { judge } from "./oracle.ts";
import type { Played } from "./play.ts";
import type { World } from "./world.ts";

export function checkWorld(world: World, { happenings, ended, made, memory }: Played): string[] {
  if (ended === null) return ["the run does not end"];
  const isComplete = ended.outcome === "complete";
  const judged = judge(made.store.tasks.text, world, { happenings, isComplete });
  const { proofs, flaky, tasks, tokens, iterations } = memory.state;
  const told = Object.entries(proofs).map(([id, proof]) => [id, proof.kind === "unproven" ? proof.reason : proof.kind]);
  const attempts = Object.entries(tasks).flatMap(([id, of]) => (of.attempts === 0 ? [] : [[id, of.attempts]]));
  return [
    ...judged.wrong,
    ...differ("proofs", told.map(tell), [...judged.proofs].map(tell)),
    ...differ("flaky checks", Object.values(flaky).map(String), [...judged.flaky.values()].map(String)),
    ...differ("attempts", attempts.map(tell), [...judged.attempts].map(tell)),
    ...beyondBound(judged.attempts),
    ...differ(
      "delegations",
      [`${iterations}`, `${ended.attempts}`],
      [`${judged.delegations}`, `${judged.delegations}`],
    ),
    ...differ("tokens", [`${tokens}`], [`${judged.tokens}`]),
  ];
}

/** Maximum number of attempts at one planned task and its fix tasks under the default limits: see `docs/limits.md`. */
const bound = 49;

function beyondBound(attempts: ReadonlyMap<string, number>): string[] {
  const ofRoots = new Map<string, number>();
  for (const [id, count] of attempts) {
    const root = id.split(".").slice(0, 2).join(".");
    ofRoots.set(root, (ofRoots.get(root) ?? 0) + count);
  }
  return [...ofRoots].flatMap(([root, count]) => (count > bound ? [`${root}: ${count} attempts`] : []));
}

const tell = ([id, what]: readonly [string, unknown] | readonly unknown[]): string => `${id} ${what}`;

function differ(what: string, is: readonly string[], should: readonly string[]): string[] {
  const [one, other] = [is.toSorted(), should.toSorted()];
  if (one.join("\n") === other.join("\n")) return [];
  const only = (some: readonly string[], others: readonly string[]) =>
    some.filter((each, index) => !others.includes(each) || some.indexOf(each) !== index).join(", ");
  return [`${what}: ${only(one, other)}; judged: ${only(other, one)}`];
}
