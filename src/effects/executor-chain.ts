import { type Role, roles, worksOnTasks } from "../model/role.ts";
import { Rung } from "../model/rung.ts";
import type { Executor, ExecutorChain, Executors, HandOut } from "../ports/executor.ts";

/** An executor, and its number among all of its role. */
export interface Candidate {
  readonly number: number;
  readonly execute: Executor;
}

/**
 * Who may do an attempt in a role, the preferred one first; nobody for a reviewer that was not given. An attempt that a
 * rung of the ladder has led to is for the executors of that rung, else for those of the nearest rung before it that
 * has some. Without a verifier its attempts are the executor's; without a repair operator the executor is asked.
 *
 * @param rung Null for what no rung has led to.
 */
export function candidatesFor(executors: Executors, role: Role, rung: Rung | null = null): readonly Candidate[] {
  const chains = chainsFor<ExecutorChain>(executors, role).map(listOf);
  const reached = rung === null ? 1 : Rung.options.indexOf(rung) + 2;
  const chosen = chains.slice(0, reached).findLastIndex((chain, index) => index === 0 || chain.length > 0);
  const before = chains.slice(0, chosen).reduce((sum, { length }) => sum + length, 0);
  return (chains[chosen] ?? []).map((execute, index) => ({ number: before + index, execute }));
}

/** Who plays which role, in any form. */
type Cast<Chain> = Readonly<Partial<Record<Role, Chain>>> & {
  readonly executor: Chain;
  readonly rungs?: Readonly<Partial<Record<Rung, Chain>>>;
};

/** All chains that are numbered for a role: its own, and behind that those of rungs; undefined where there is none. */
export function chainsFor<Chain>(cast: Cast<Chain>, role: Role): readonly (Chain | undefined)[] {
  const { executor, rungs = {} } = cast;
  const own = cast[role];
  const isExecutor = worksOnTasks(role) && (role === "executor" || own === undefined);
  const first = own ?? (roles[role].standIn === "executor" ? executor : undefined);
  return [first, ...(isExecutor ? Rung.options.map((each) => rungs[each]) : [])];
}

/** Whether work on tasks is handed out, so that nothing is to be waited for here. */
export const handsOut = ({ executor }: Pick<Executors, "executor">): boolean => listOf(executor).some(isHandOut);

export const isHandOut = (executor: Executor): executor is HandOut => "nonceOf" in executor;

/** What availability is asked about. */
export const numbersOf = (candidates: readonly Candidate[]): number[] => candidates.map(({ number }) => number);

const listOf = (chain: ExecutorChain | undefined): readonly Executor[] =>
  chain === undefined ? [] : typeof chain === "function" ? [chain] : chain;
