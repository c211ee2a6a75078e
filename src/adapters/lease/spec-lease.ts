import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { isRealFolder, makeDataFolder, makeFolder } from "../files/folder.ts";
import { refused } from "../files/refused.ts";
import { bootId, identifyProcess, isAlive } from "../processes/process-identity.ts";
import { holdersOf, type Lease, type LeaseHolder, leaseFolder, takeLease } from "./lease.ts";

interface TakeOver {
  /** Whether to assume that a holder on another machine has ended. */
  readonly takeOver: boolean;
}

/**
 * Take the lease of a spec, for a coordinator, a reset or a clean-up.
 *
 * @param dataFolder The spec's folder of run data; created if missing.
 * @throws {EnvironmentError} `spec-locked`, with the holder; `spec-on-other-host`; `file-refused`
 */
export function takeSpecLease(dataFolder: string, { takeOver }: TakeOver): Lease {
  const folder = leasePath(dataFolder);
  return refused("write", folder, () => {
    for (;;) {
      makeDataFolder(dataFolder);
      makeFolder(folder, 0o700);
      isRealFolder(folder);
      try {
        const taken = takeLease(leaseFolder(folder), {
          who: ownClaim(dirname(dataFolder)),
          isAtWork: (holder) => !(takeOver && isElsewhere(holder)) && mayBeAtWork(holder),
          excludes: () => true,
        });
        if ("release" in taken) return taken;
        throw locked(taken);
      } catch (error) {
        // Try again if a reset has just removed the folder.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  });
}

/**
 * Throw if another process holds the lease of a spec. Writes nothing.
 *
 * @throws {EnvironmentError} `spec-locked`, with the holder; `spec-on-other-host`; `file-refused`
 */
export function refuseLocked(dataFolder: string, { takeOver }: TakeOver): void {
  const holder = specHolder(dataFolder);
  if (holder !== null && !(takeOver && isElsewhere(holder))) throw locked(holder);
}

/**
 * Return the process that holds the lease of a spec: alive on this machine, or on another machine in unknown state.
 * Null if there is none.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function specHolder(dataFolder: string): LeaseHolder | null {
  const folder = leasePath(dataFolder);
  if (!isRealFolder(dataFolder) || !isRealFolder(folder)) return null;
  return refused("read", folder, () => holdersOf(leaseFolder(folder))).find(mayBeAtWork) ?? null;
}

export const isElsewhere = ({ host }: LeaseHolder): boolean => host !== hostname();

/** @param spec Folder of the spec, without links. */
export const ownClaim = (spec: string): Omit<LeaseHolder, "claim"> => ({
  id: randomUUID(),
  spec,
  ...(identifyProcess(process.pid) ?? { pid: process.pid, pidStart: null }),
  host: hostname(),
  boot: bootId(),
  at: Date.now(),
});

/** Return whether a holder is running, or cannot be checked from this machine. */
function mayBeAtWork(holder: LeaseHolder): boolean {
  if (isElsewhere(holder)) return true;
  return !isOfEarlierBoot(holder) && isAlive(holder);
}

export function isOfEarlierBoot({ boot }: LeaseHolder): boolean {
  const now = bootId();
  return boot !== null && now !== null && boot !== now;
}

const leasePath = (dataFolder: string): string => join(dataFolder, "lease");

export function locked(holder: LeaseHolder): EnvironmentError {
  const { pid, host } = holder;
  const since = new Date(holder.at).toISOString();
  if (isElsewhere(holder)) {
    return new EnvironmentError(
      `Cannot take the spec, expected process ${pid} on \`${host}\` (since ${since}) to have ended`,
      {
        code: "spec-on-other-host",
        ways: [{ say: "If you are sure that this process has ended, take the spec over", words: ["--take-over"] }],
      },
    );
  }
  return new EnvironmentError(`Cannot take the spec: process ${pid} on \`${host}\` has held it since ${since}`, {
    code: "spec-locked",
    // Advise `stop` instead of a kill, because the process may work on other specs, too.
    ways: [{ say: "Wait until that process ends, or stop it", command: "stop" }],
  });
}

interface WorkspaceClaim {
  readonly spec: string;
  /** Whether this run may start during runs of other specs. Later runs need this permission, too. */
  readonly shared: boolean;
}

/**
 * Return the run that excludes another run from a workspace; null if there is none. Two runs of the same spec always
 * exclude each other, even if the spec's run data was removed.
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
 * @returns The lease, or the holder that excludes this run.
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

/** The folder belongs to one machine, so a holder with another host name is from before the machine was renamed. */
const isAtWork = (holder: LeaseHolder): boolean => !isElsewhere(holder) && mayBeAtWork(holder);

const excludes = ({ spec, shared }: WorkspaceClaim, holder: LeaseHolder): boolean => !shared || holder.spec === spec;
