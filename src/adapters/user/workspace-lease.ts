import { refused } from "../files/refused.ts";
import { holdersOf, type Lease, takeLease } from "../lease/lease.ts";
import { type LeaseHolder, leaseFolder } from "../lease/lease-folder.ts";
import { isElsewhere, mayBeAtWork, ownClaim } from "../lease/spec-lease.ts";

/** A claim on a workspace. */
export interface WorkspaceClaim {
  /** Real path of the spec's folder. */
  readonly spec: string;
  /** Whether to work beside runs of other specs. Runs that do not share are refused all the same. */
  readonly shared: boolean;
}

/**
 * The run that keeps another one out of a workspace; null without one. Two runs of one spec always exclude each other,
 * also where the run data of the spec was removed.
 *
 * @param folder The user's folder for the workspace.
 * @throws {EnvironmentError} `file-refused`
 */
export const workspaceHolder = (folder: string, claim: WorkspaceClaim): LeaseHolder | null =>
  refused("read", folder, () => holdersOf(leaseFolder(folder))).find(
    (holder) => isAtWork(holder) && excludes(claim, holder),
  ) ?? null;

/**
 * Take the lease of a workspace for the run of a spec.
 *
 * @param folder The user's folder for the workspace.
 * @returns The lease, or the holder that excludes it.
 * @throws {EnvironmentError} `file-refused`
 */
export const takeWorkspaceLease = (folder: string, claim: WorkspaceClaim): Lease | LeaseHolder =>
  refused("write", folder, () =>
    takeLease(leaseFolder(folder), {
      who: ownClaim(claim.spec),
      isAtWork,
      excludes: (holder) => excludes(claim, holder),
    }),
  );

/** The folder belongs to one machine: a holder with another name of it is of the time before it was renamed. */
const isAtWork = (holder: LeaseHolder): boolean => !isElsewhere(holder) && mayBeAtWork(holder);

const excludes = ({ spec, shared }: WorkspaceClaim, holder: LeaseHolder): boolean => !shared || holder.spec === spec;
