import { closeSync, constants, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { CommandResult, Shell } from "../ports/shell.ts";
import { openRegular } from "./files/own-file.ts";
import { type KeptOutput, keepOutput } from "./processes/keep-output.ts";
import { makeOutputFolder, outputPaths, readTail } from "./processes/open-output.ts";
import { scrubEnvironment } from "./processes/redact-secrets.ts";
import { type CommandOptions, type Environment, runCommand } from "./processes/run-command.ts";
import { findCommand } from "./processes/shell-command.ts";

export interface ShellOptions {
  /** Absolute folder in which commands run. */
  readonly workspace: string;
  /** Absolute folder for stored outputs, created if missing (none is stored by default). */
  readonly outputFolder?: string;
  /** Variables in addition to those of this process, which are passed on without secrets. */
  readonly env?: Environment;
  /** Names of variables to pass on although they look like secrets (none by default). */
  readonly passEnv?: readonly string[];
  /** Grace period of the processes before they are killed (5 s by default). */
  readonly graceMs?: number;
  /** Maximum bytes of output of a command (no limit by default). */
  readonly outputCapBytes?: number;
  /** Throws if this coordinator has lost the lease of the spec; called right before a command runs. */
  readonly checkFence?: () => void;
}

/** Runs Verify commands with `sh -c`. See `runCommand` for how their processes are ended. */
export function shell({
  workspace,
  outputFolder,
  env = {},
  passEnv = [],
  graceMs,
  outputCapBytes,
  checkFence = () => {},
}: ShellOptions): Shell {
  /** A missing program may exist later: a task may write it. */
  const found = new Set<string>();
  const own = scrubEnvironment(process.env, passEnv);
  const options = { cwd: workspace, env: { ...own, ...env }, graceMs, outputCapBytes };
  const withheld = Object.entries(process.env).flatMap(([name, value]) => (value && !(name in own) ? [name] : []));
  return {
    secrets: { passed: passEnv, withheld },
    run: async (command, { timeoutMs, keepAs }, signal) => {
      checkFence();
      return runInShell(command, { ...options, timeoutMs }, keepAs, outputFolder, signal);
    },
    exists: async (word) => {
      if (!found.has(word) && (await isCommand(word, options))) found.add(word);
      return found.has(word);
    },
    readKept: async (name, see) => {
      if (outputFolder === undefined) return false;
      const { stdout, stderr } = outputPaths(outputFolder, name);
      const isKept = await readWhole(stdout, see);
      return (await readWhole(stderr, see)) && isKept;
    },
  };
}

async function runInShell(
  command: string,
  options: CommandOptions,
  name: string | undefined,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<CommandResult> {
  const output = openKept(name, folder);
  const { stdout, stderr } = output;
  const look = (hasPrinted: boolean): boolean => {
    if (hasPrinted) output.tend();
    return false;
  };
  try {
    const { ended, limit, exitCode, durationMs } = await runCommand(
      "sh",
      ["-c", command],
      { ...options, stdout, stderr, look },
      signal,
    );
    return {
      exitCode: ended === "exit" ? exitCode : null,
      stdout: readTail(stdout, keptBytes),
      stderr: readTail(stderr, keptBytes),
      durationMs,
      timedOut: ended === "timeout",
      ...(ended === "flood" && { limitBytes: limit }),
    };
  } finally {
    await output.close();
  }
}

const keptBytes = 64 * 1024;

function openKept(name: string | undefined, folder: string | undefined): KeptOutput {
  if (name === undefined || folder === undefined) return keepOutput("sh");
  makeOutputFolder(folder);
  return keepOutput("sh", { folder, paths: outputPaths(folder, name) });
}

const pieceBytes = 256 * 1024;

/** Stream a regular file as UTF-8. Signals can be handled between two pieces. Returns whether the file exists. */
async function readWhole(path: string, see: (piece: string) => void): Promise<boolean> {
  let fd: number;
  try {
    fd = openRegular(path, constants.O_RDONLY);
  } catch {
    return false;
  }
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(pieceBytes);
    let end = "\n";
    const tell = (piece: string): void => {
      see(piece);
      // An incomplete character decodes to an empty piece, so keep the previous end.
      end = piece.slice(-1) || end;
    };
    for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
      tell(decoder.decode(buffer.subarray(0, count), { stream: true }));
      await setImmediate();
    }
    tell(decoder.decode());
    // Separate the streams by a line ending.
    if (end !== "\n") see("\n");
    return true;
  } finally {
    closeSync(fd);
  }
}

async function isCommand(word: string, options: Omit<CommandOptions, "timeoutMs">): Promise<boolean> {
  if (findCommand(word, options.cwd, options.env["PATH"]) !== null) return true;
  // Do not ask the shell about a path: some shells accept any path as a command, runnable or not.
  if (word === "" || word.includes("/")) return false;
  const args = ["-c", 'command -v -- "$1"', "sh", word];
  const { exitCode } = await runCommand("sh", args, { ...options, timeoutMs: 10_000 }, new AbortController().signal);
  return exitCode === 0;
}
