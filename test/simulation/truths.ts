/** The real state of the work, which Verify commands show, whatever executors claim. */
export interface Truths {
  /** Does the work that a command checks. False if a dependency is missing. */
  finish(command: string): boolean;
  /**
   * Makes some checks of a command pass from now on, and perhaps another one fail. The work is done if none fails.
   * False if a dependency is missing.
   */
  mend(command: string, checks: readonly string[], broken: string | null): boolean;
  /** Undoes the work that a command checks. */
  lose(command: string): void;
  holds(command: string): boolean;
  /** Names of a command's checks; empty if the command names none. */
  checksOf(command: string): readonly string[];
  /** Names of a command's checks that fail now, including checks that were broken. */
  failing(command: string): readonly string[];
  /** Commands whose work is done now. */
  standing(): readonly string[];
  /** A text that differs for each state of finished and partial work. */
  state(): string;
  /** Whether no finished work was undone. */
  unspoilt(): boolean;
}

/** The command that checks all finished work. */
export const checkAll = "check all";

/**
 * @param needs The dependencies of each command.
 * @param checksOf Names of a command's checks (none by default).
 */
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
