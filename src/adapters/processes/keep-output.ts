import { spawn } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { readAt } from "../files/read-own-file.ts";
import { systemError } from "../files/refused.ts";
import { checkRoom, notWritten } from "./check-written.ts";
import { type OutputPaths, openOutputs } from "./open-output.ts";
import { readEnd } from "./read-tail.ts";

/** Files for both streams of a program, of which a very large one keeps its two ends. */
export interface KeptOutput {
  /** Descriptors. */
  readonly stdout: number;
  readonly stderr: number;
  /**
   * Make room while the program prints.
   *
   * @param read How many bytes of stdout have been read by who follows it.
   * @throws {EnvironmentError} `output-not-written`: too little room is left.
   */
  tend(read?: number): void;
  /** Cut the files and close them. @throws {EnvironmentError} `output-not-written` */
  close(): Promise<void>;
}

/** How much is kept of each end of a file: more than anybody reads of its end. */
export const keptEndBytes = 16 * 1024 * 1024;

/**
 * Open files for what a program prints.
 *
 * While it prints, the middle of a large file is taken from the disk where the system can do that; the length of the
 * file stays. When it has ended, the middle is cut out and a line in its place says how much is missing.
 *
 * @param program Named in errors.
 * @param at Paths in a folder; files without names when not given.
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

/** The middle of a file that grows, taken from the disk by `fallocate` of util-linux, since Node has no call for it. */
function openHole(file: number): { grow(read: number): void; done(): Promise<void> } {
  let start = keptEndBytes;
  let working: Promise<void> | null = null;
  const punch = async (end: number): Promise<void> => {
    const range = ["--punch-hole", "--offset", String(start), "--length", String(end - start)];
    // Through the descriptor, since its path may lead elsewhere by now.
    const isDone = await succeeds("fallocate", [...range, "/proc/self/fd/3"], file);
    // What cannot be done once is not tried again.
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

/** Whether a program that is given a file as descriptor 3 ends well. */
const succeeds = (program: string, args: readonly string[], file: number): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore", file] });
    child.once("error", reject);
    child.once("exit", (exitCode) => resolve(exitCode === 0));
  }).catch(() => false);

/**
 * Cut a very large file to its two ends, at ends of lines where there are any.
 *
 * Whatever is still written into it goes behind them. Whoever is killed in between leaves the beginning: that call has
 * no answer yet, and is made again.
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

/** A longer line is cut itself. */
const longestLineBytes = 64 * 1024;
