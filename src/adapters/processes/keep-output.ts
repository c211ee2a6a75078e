import { spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { readAt } from "../files/read-own-file.ts";
import { systemError } from "../files/refused.ts";
import { checkRoom, notWritten } from "./check-written.ts";
import { type OutputPaths, openOutputs, readEnd } from "./open-output.ts";

/** Output files of a program. Of a very large file, only both ends are kept. */
export interface KeptOutput {
  /** Descriptors. */
  readonly stdout: number;
  readonly stderr: number;
  /**
   * Free disk space while the program prints.
   *
   * @param read Number of bytes from the start of stdout that need not be kept: see `FollowedOutput`.
   * @throws {EnvironmentError} `output-not-written`: too little space is left.
   */
  tend(read?: number): void;
  /** Cut the files and close them. @throws {EnvironmentError} `output-not-written` */
  close(): Promise<void>;
}

/** Bytes to keep at each end of a file, more than any reader needs. */
export const keptEndBytes = 16 * 1024 * 1024;

/**
 * Open files for the output of a program.
 *
 * While the program prints, the middle of a large file is released from the disk if the system supports that; the
 * length of the file stays. After the program's end, the middle is cut out, and a line in its place says how much is
 * missing.
 *
 * @param program Named in errors.
 * @param at Paths of the files in a folder. Without paths, the files have no names.
 * @throws {EnvironmentError} `output-not-opened`
 */
export function keepOutput(
  program: string,
  at?: { readonly folder: string; readonly paths: Pick<OutputPaths, "stdout" | "stderr"> },
): KeptOutput {
  const { stdout, stderr } = openOutputs(at?.paths);
  const holes = [openHole(stdout), openHole(stderr)] as const;
  return {
    ...{ stdout, stderr },
    tend: (read = Infinity) => {
      holes[0].grow(read);
      holes[1].grow(Infinity);
      checkRoom([stdout, stderr], at?.folder ?? tmpdir(), program);
    },
    close: async () => {
      await Promise.all(holes.map(({ done }) => done()));
      try {
        for (const file of [stdout, stderr]) cutOutput(file, program);
      } finally {
        closeSync(stdout);
        closeSync(stderr);
      }
    },
  };
}

/** Releases the middle of a growing file with `fallocate` of util-linux, since Node has no call for it. */
function openHole(file: number): { grow(read: number): void; done(): Promise<void> } {
  let start = keptEndBytes;
  let working: Promise<void> | null = null;
  const punch = async (end: number): Promise<void> => {
    const range = ["--punch-hole", "--offset", String(start), "--length", String(end - start)];
    // Use the descriptor, since the path may lead elsewhere by now.
    const isDone = await succeeds("fallocate", [...range, "/proc/self/fd/3"], file);
    // After a failure, `fallocate` is not tried again.
    start = isDone ? end : Infinity;
    working = null;
  };
  return {
    grow: (read) => {
      const end = Math.min(fstatSync(file).size - 2 * keptEndBytes, read);
      if (working === null && end - start >= keptEndBytes) working = punch(end);
    },
    done: async () => working ?? undefined,
  };
}

const succeeds = (program: string, args: readonly string[], file: number): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore", file] });
    child.once("error", reject);
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  }).catch(() => false);

/**
 * Cut a very large file down to its two ends, at line ends if possible. Later output is appended. A kill during the cut
 * leaves only the start of the file; a resumed run calls the program again.
 *
 * @param file Descriptor, opened to append.
 */
function cutOutput(file: number, program: string): void {
  const { size } = fstatSync(file);
  if (size <= 2 * keptEndBytes) return;
  const { bytes: tail, isTorn } = readEnd(file, keptEndBytes);
  const end = readAt(file, keptEndBytes - longestLineBytes, longestLineBytes).lastIndexOf("\n");
  const head = end === -1 ? keptEndBytes : keptEndBytes - longestLineBytes + end + 1;
  const missing = size - head - tail.length;
  ftruncateSync(file, head);
  try {
    writeFileSync(
      file,
      `${end === -1 ? "\n" : ""}[fixpoint: ${missing} bytes are left out here]\n${isTorn ? "…" : ""}`,
    );
    writeFileSync(file, tail);
  } catch (cause) {
    throw notWritten(file, program, systemError(cause), cause);
  }
}

/** Maximum distance to a line end; a longer line is cut. */
const longestLineBytes = 64 * 1024;
