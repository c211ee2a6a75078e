import { readFileSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { systemError } from "../files/refused.ts";
import { openProc } from "./process-table.ts";

/** Identity of a process. A pid alone is not enough, since it may be reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the system's own unit; null when it cannot be read. */
  readonly pidStart: string | null;
}

/** Identity of a running process; null if it does not exist or is a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const found = openProc()?.find(pid) ?? null;
  if (found !== null) return found.isDead ? null : { pid, pidStart: found.pidStart };
  return canSignal(pid) ? { pid, pidStart: null } : null;
}

export function isAlive({ pid, pidStart }: ProcessIdentity): boolean {
  const found = identifyProcess(pid);
  return found !== null && (found.pidStart === null || pidStart === null || found.pidStart === pidStart);
}

/** Boot id of the machine, since processes do not survive a boot. Null if the system has none. */
export function bootId(): string | null {
  boot ??= readBootId();
  return boot;
}
let boot: string | null | undefined;

function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return null;
  }
}

/**
 * Send exactly this process SIGTERM, if it still runs.
 *
 * @throws {EnvironmentError} `signal-refused`
 */
export function endProcess(identity: ProcessIdentity): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, "SIGTERM");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ESRCH") return;
    throw new EnvironmentError(`Cannot end process ${identity.pid}: ${systemError(cause)}`, {
      code: "signal-refused",
      hint: "Repeat the command as the owner of the process",
      cause,
    });
  }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
