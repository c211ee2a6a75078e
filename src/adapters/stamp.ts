import { type BigIntStats, fstatSync, futimesSync } from "node:fs";

/** A file's identity and time; equal ones mean an unchanged file. */
export interface Stamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export const stampIn = ({ ino, size, mtimeNs }: BigIntStats): Stamp => ({ ino, size, mtimeNs });

export const sameStamp = (a: Stamp | undefined, b: Stamp): boolean =>
  a !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

/**
 * Give an open file a time that no other write can leave: the system's own times are as coarse as its clock tick,
 * within which an executor may change a file without changing its time. The owner of the file alone may do so; that of
 * another keeps the system's.
 */
export function markOwn(file: number): Stamp {
  const now = Date.now() / 1000;
  try {
    futimesSync(file, now, now + ownFraction);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  return stampIn(fstatSync(file, { bigint: true }));
}

/** Seconds; too fine for a clock tick, and within what a file system keeps. */
const ownFraction = 0.000_123;
