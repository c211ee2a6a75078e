export interface TracedCall {
  readonly name: string;
  readonly path: string;
  /** Number of the call among calls of the same name on this path, from 1. */
  readonly ordinal: number;
  readonly changes: boolean;
  readonly isLaterFlush: boolean;
}

export const tracedNames = [
  ...["openat", "write", "writev", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "symlink", "unlink", "unlinkat", "rmdir"],
  ...["mkdir", "mkdirat", "utimensat", "chmod", "fchmod", "fchmodat"],
] as const;

export interface Trace {
  readonly calls: readonly TracedCall[];
  readonly isShared: boolean;
}

export const pidMark = "%PID%";

export function readTrace(told: string, pid: number, spec: string): Trace {
  const seen = new Map<string, number>();
  const calls: TracedCall[] = [];
  let isShared = false;
  for (const line of told.split("\n")) {
    const [, caller, name, named, opened] = callOn.exec(line) ?? [];
    const absolute = named ?? opened;
    if (name === undefined || absolute === undefined || !`${absolute}/`.startsWith(`${spec}/`)) continue;
    const path = absolute.slice(spec.length + 1).replace(new RegExp(`\\b${pid}\\b`), pidMark);
    if (caller !== String(pid) && /^f(?:data)?sync$/.test(name)) {
      const index = calls.findLastIndex((call) => call.name === "openat" && call.path === path);
      const call = calls[index];
      if (call !== undefined) calls[index] = { ...call, isLaterFlush: true };
      continue;
    }
    // Ignore outputs of executors, which the coordinator only opens and reads.
    if (caller !== String(pid) && !/\.(?:out|err)$/.test(path)) isShared = true;
    if (caller !== String(pid)) continue;
    const ordinal = (seen.get(`${name} ${path}`) ?? 0) + 1;
    seen.set(`${name} ${path}`, ordinal);
    const changes = name !== "openat" || /\bO_(?:CREAT|WRONLY|RDWR)\b/.test(line);
    calls.push({ name, path, ordinal, changes, isLaterFlush: false });
  }
  return { calls, isShared };
}

const callOn = /^(\d+) +(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, )?(?:"([^"]*)"|\d+<([^>]*)>)/;
