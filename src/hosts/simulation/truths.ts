/** What is really done, whoever says so: what Verify commands find out. */
export interface Truths {
  /** Do what a command checks. False when something is missing that it needs. */
  finish(command: string): boolean;
  /** Undo it. */
  lose(command: string): void;
  holds(command: string): boolean;
  /** Commands whose work is done now. */
  standing(): readonly string[];
  /** Whether nothing that was done was undone. */
  unspoilt(): boolean;
}

/** The command that checks everything that was done. */
export const checkAll = "check all";

/** @param needs Per command, others whose work it needs. */
export function createTruths(needs: ReadonlyMap<string, readonly string[]>): Truths {
  const done = new Set<string>();
  const lost = new Set<string>();
  return {
    finish: (command) => {
      if (needs.get(command)?.some((needed) => !done.has(needed)) === true) return false;
      done.add(command);
      lost.delete(command);
      return true;
    },
    lose: (command) => {
      if (done.delete(command)) lost.add(command);
    },
    holds: (command) => (command === checkAll ? lost.size === 0 : done.has(command)),
    standing: () => [...done],
    unspoilt: () => lost.size === 0,
  };
}
