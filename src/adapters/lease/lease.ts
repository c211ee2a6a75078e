import type { LeaseFolder, LeaseHolder } from "./lease-folder.ts";

/** A lease that this process holds until it releases it or ends. */
export interface Lease {
  readonly holder: LeaseHolder;
  /** Holders that ended without a release, and whose claims end here. */
  readonly ended: readonly LeaseHolder[];
  /** Whether it still counts: it was not taken over, and no one removed its files. */
  isHeld(): boolean;
  /** Release the lease. Never throws, so that an earlier error of the run is reported. */
  release(): void;
}

/** The claim of a process, and the rules by which it judges others. */
export interface LeaseClaim {
  /** The process that claims, without its place among the generations. */
  readonly who: Omit<LeaseHolder, "claim">;
  /** Whether a holder may still be at work. */
  isAtWork(holder: LeaseHolder): boolean;
  /** Whether this claim and that of a holder exclude each other. */
  excludes(holder: LeaseHolder): boolean;
}

/**
 * Take a lease. Of several processes that exclude each other exactly one gets it, and the others get its holder.
 *
 * Each claim is one compare-and-swap: it reads the latest generation and publishes the next one, which only one process
 * can do. A process that was suspended between the two may fill the place of a generation that was removed since; it
 * finds a later one that does not list it, and claims again.
 *
 * @returns The lease, or the holder that excludes it.
 */
export function takeLease(folder: LeaseFolder, { who, isAtWork, excludes }: LeaseClaim): Lease | LeaseHolder {
  for (;;) {
    const before = folder.latest();
    const listed = before === 0 ? [] : folder.read(before);
    if (listed === null) continue;
    const unreleased = listed.filter((each) => folder.isMarked(each));
    const others = unreleased.filter(isAtWork);
    const rival = others.find(excludes);
    if (rival !== undefined) return rival;
    const holder: LeaseHolder = { ...who, claim: before + 1 };
    if (!folder.publish(holder, others)) continue;
    if (!isListed(folder, holder)) {
      folder.unmark(holder);
      continue;
    }
    folder.tidy(holder.claim, others);
    return {
      holder,
      ended: unreleased.filter((each) => !others.includes(each)),
      isHeld: () => folder.isMarked(holder) && isListed(folder, holder),
      release: () => {
        try {
          folder.unmark(holder);
        } catch {
          // A mark that cannot be removed counts until this process has ended.
        }
      },
    };
  }
}

/** The holders of a lease that have not released it, dead or alive. */
export function holdersOf(folder: LeaseFolder): readonly LeaseHolder[] {
  for (;;) {
    const latest = folder.latest();
    const listed = latest === 0 ? [] : folder.read(latest);
    if (listed !== null) return listed.filter((each) => folder.isMarked(each));
  }
}

/** Whether the latest generation lists a holder. */
function isListed(folder: LeaseFolder, { claim, id }: LeaseHolder): boolean {
  for (;;) {
    const latest = folder.latest();
    if (latest === claim) return true;
    const listed = latest < claim ? [] : folder.read(latest);
    if (listed !== null) return listed.some((each) => each.id === id);
  }
}
