import type { Executor, ExecutorChain, Executors } from "../../../ports/executor.ts";

/** The same executors in the same roles, each of them changed. */
export function mapExecutors({ rungs, ...roles }: Executors, change: (execute: Executor) => Executor): Executors {
  const chain = (choice: ExecutorChain): ExecutorChain =>
    typeof choice === "function" ? change(choice) : (choice.map(change) as [Executor, ...Executor[]]);
  const each = (chains: Readonly<Record<string, ExecutorChain>>) =>
    Object.fromEntries(Object.entries(chains).map(([name, choice]) => [name, chain(choice)]));
  return { ...each(roles), ...(rungs !== undefined && { rungs: each(rungs) }) } as unknown as Executors;
}
