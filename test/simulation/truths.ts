export interface Truths {
  finish(command: string): boolean;
  mend(command: string, checks: readonly string[], broken: string | null): boolean;
  lose(command: string): void;
  holds(command: string): boolean;
  checksOf(command: string): readonly string[];
  failing(command: string): readonly string[];
  standing(): readonly string[];
  /** Fingerprint of all work, finished or partial. */
  state(): string;
  unspoilt(): boolean;
}

export const checkAll = "check all";

export function createTruths(
  needs: ReadonlyMap<string, readonly string[]>,
  checksOf: Truths["checksOf"] = () => [],
): Truths {
  const done = new Set<string>();
  const lost = new Set<string>();
  const begun = new Map<string, readonly string[]>();
  const isReady = (command: string): boolean => needs.get(command)?.some((needed) => !done.has(needed)) !== true;
  const finish = (command: string): void => {
    done.add(command);
    lost.delete(command);
    begun.delete(command);
  };
  const failing = (command: string): readonly string[] =>
    done.has(command) ? [] : (begun.get(command) ?? checksOf(command));
  return {
    finish: (command) => {
      if (!isReady(command)) return false;
      finish(command);
      return true;
    },
    mend: (command, checks, broken) => {
      if (!isReady(command)) return false;
      if (done.has(command) || checksOf(command).length === 0) return true;
      const left = failing(command).filter((check) => !checks.includes(check));
      if (broken !== null && !left.includes(broken)) left.push(broken);
      if (left.length === 0) finish(command);
      else begun.set(command, left);
      return true;
    },
    lose: (command) => {
      if (done.delete(command)) lost.add(command);
    },
    holds: (command) => (command === checkAll ? lost.size === 0 : done.has(command)),
    checksOf,
    failing,
    standing: () => [...done],
    state: () => [...done, ...[...begun].map(([command, checks]) => `${command}: ${checks.join(", ")}`)].join("\n"),
    unspoilt: () => lost.size === 0,
  };
}
