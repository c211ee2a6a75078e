/** A system call of the coordinator on a file of its spec, among all its calls there. */
export interface TracedCall {
  readonly name: string;
  /** Relative to the spec's folder, of the first path in the call or of its descriptor. */
  readonly path: string;
  /** Its index among calls of its name on this path, from 1. */
  readonly ordinal: number;
  /** Whether it may change anything: an open for reading does not. */
  readonly changes: boolean;
  /** Whether it opens a file for a background flush by a thread of the coordinator. */
  readonly isLaterFlush: boolean;
}

/** Calls that change a file, or open one. */
export const tracedNames = [
  ...["openat", "write", "writev", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "symlink", "unlink", "unlinkat", "rmdir"],
  ...["mkdir", "mkdirat", "utimensat", "chmod", "fchmod", "fchmodat"],
] as const;

/** The calls of a coordinator's start on the files of its spec. */
export interface Trace {
  readonly calls: readonly TracedCall[];
  /** Whether other programs, such as executors, use files of the spec as well. */
  readonly isShared: boolean;
}

/** Stands for the process id in a path. */
export const pidMark = "%PID%";

/**
 * Reads strace's output for the coordinator and its children.
 *
 * @param told With the process id at the start of each line, and the paths of descriptors.
 * @param pid The coordinator's.
 * @param spec Absolute path; calls inside it count.
 */
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
    // Outputs of executors are theirs: the coordinator opens them, and reads.
    if (caller !== String(pid) && !/\.(?:out|err)$/.test(path)) isShared = true;
    if (caller !== String(pid)) continue;
    const ordinal = (seen.get(`${name} ${path}`) ?? 0) + 1;
    seen.set(`${name} ${path}`, ordinal);
    const changes = name !== "openat" || /\bO_(?:CREAT|WRONLY|RDWR)\b/.test(line);
    calls.push({ name, path, ordinal, changes, isLaterFlush: false });
  }
  return { calls, isShared };
}

/** The caller, the name of a call, and its first path or that of its first descriptor. */
const callOn = /^(\d+) +(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, )?(?:"([^"]*)"|\d+<([^>]*)>)/;
