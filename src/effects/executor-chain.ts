import { type Role, roles, worksOnTasks } from "../model/role.ts";
import { Rung } from "../model/rung.ts";
import type { Executor, ExecutorChain, Executors, HandOut } from "../ports/executor.ts";

export interface Candidate {
  readonly number: number;
  readonly execute: Executor;
}

/**
 * Executors for an attempt in a role, in order of preference. An attempt on a rung uses the executors of that rung,
 * else those of the nearest earlier rung with executors. If no verifier or repair operator is given, the executor takes
 * that role. A missing reviewer is not replaced.
 *
 * @param rung Null if no rung led to the attempt.
 */
export function candidatesFor(executors: Executors, role: Role, rung: Rung | null = null): readonly Candidate[] {
  const chains = chainsFor<ExecutorChain>(executors, role).map(listOf);
  const reached = rung === null ? 1 : Rung.options.indexOf(rung) + 2;
  const chosen = chains.slice(0, reached).findLastIndex((chain, index) => index === 0 || chain.length > 0);
  const before = chains.slice(0, chosen).reduce((sum, { length }) => sum + length, 0);
  return (chains[chosen] ?? []).map((execute, index) => ({ number: before + index, execute }));
}

/** The executors of each role, in any form. */
type Cast<Chain> = Readonly<Partial<Record<Role, Chain>>> & {
  readonly executor: Chain;
  readonly rungs?: Readonly<Partial<Record<Rung, Chain>>>;
};

/**
 * All chains of a role, in the order of their numbers: the role's own chain, then a chain per rung. A missing chain is
 * undefined.
 */
export function chainsFor<Chain>(cast: Cast<Chain>, role: Role): readonly (Chain | undefined)[] {
  const { executor, rungs = {} } = cast;
  const own = cast[role];
  const isExecutor = worksOnTasks(role) && (role === "executor" || own === undefined);
  const first = own ?? (roles[role].standIn === "executor" ? executor : undefined);
  return [first, ...(isExecutor ? Rung.options.map((each) => rungs[each]) : [])];
}

export const handsOut = ({ executor }: Pick<Executors, "executor">): boolean => listOf(executor).some(isHandOut);

export const isHandOut = (executor: Executor): executor is HandOut => "nonceHashOf" in executor;

export const numbersOf = (candidates: readonly Candidate[]): number[] => candidates.map(({ number }) => number);

const listOf = (chain: ExecutorChain | undefined): readonly Executor[] =>
  chain === undefined ? [] : typeof chain === "function" ? [chain] : chain;
