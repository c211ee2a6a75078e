import { fstatSync, ftruncateSync, readlinkSync, statfsSync, writeSync } from "node:fs";
import { EnvironmentError } from "../../model/errors.ts";
import { systemError } from "../files/refused.ts";

/**
 * Check that an ended child could write all its output. Throws if the file cannot grow by a byte, since output may be
 * missing. Also throws if the child failed on a nearly full disk, since a write to a temporary file may have failed.
 *
 * @param fd Descriptor of the file, opened to append.
 * @param file Program that wrote to the file.
 * @throws {EnvironmentError} `output-not-written`
 */
export function checkWritten(fd: number, file: string, { failed }: { readonly failed: boolean }): void {
  // Node ignores SIGXFSZ, so a file size limit appears as an error here.
  try {
    const { size } = fstatSync(fd);
    writeSync(fd, "\n");
    ftruncateSync(fd, size);
  } catch (cause) {
    throw notWritten(fd, file, systemError(cause), cause);
  }
  if (!failed) return;
  const { left } = diskOf(`/proc/self/fd/${fd}`);
  if (left < leastRoom) throw notWritten(fd, file, leftOnDisk(left));
}

/** Minimum free space, in bytes; more than the temporary copy of a state file takes. */
const leastRoom = 64 * 1024;

const leftOnDisk = (bytes: number): string => `only ${Math.floor(bytes / 1024)} KiB are left on its disk`;

/**
 * Check that a child's output does not fill the disk. Throws if the output takes more space than is free, and less than
 * a reserve is free. The reserve is a hundredth of the disk, at most 256 MiB.
 *
 * @param folder Folder on the disk with the output.
 * @throws {EnvironmentError} `output-not-written`
 */
export function checkRoom(fds: readonly number[], folder: string, file: string): void {
  const { left, whole } = diskOf(folder);
  if (left >= Math.min(whole / 100, mostReserve)) return;
  const large = fds.find((fd) => fstatSync(fd).blocks * blockBytes > left);
  if (large === undefined) return;
  throw notWritten(large, file, leftOnDisk(left));
}

/** Free and total bytes of a disk; unlimited if the path does not exist. */
function diskOf(path: string): { readonly left: number; readonly whole: number } {
  try {
    const { bavail, blocks, bsize } = statfsSync(path);
    return { left: bavail * bsize, whole: blocks * bsize };
  } catch {
    return { left: Infinity, whole: Infinity };
  }
}

const mostReserve = 256 * 1024 * 1024;
/** Unit of `blocks` in the result of `stat`. */
const blockBytes = 512;

export const notWritten = (fd: number, file: string, reason: string, cause?: unknown): EnvironmentError =>
  new EnvironmentError(`Cannot store the output of \`${file}\`${placeOf(fd)} (${reason}), expected free space for it`, {
    code: "output-not-written",
    hint: "Free space (disk, quota, file size limit), then run again: the call is repeated",
    cause,
  });

/** Path of an open file in words for an error; empty if the system has no `/proc`. */
function placeOf(fd: number): string {
  try {
    return ` in \`${readlinkSync(`/proc/self/fd/${fd}`)}\``;
  } catch {
    return "";
  }
}
