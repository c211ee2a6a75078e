import { pauseFile } from "../../adapters/pause-file.ts";
import { whoSpeaks } from "../../adapters/speaker.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readStatus } from "../node/read-status.ts";
import type { CliWords } from "./cli-command.ts";
import { escapeText } from "./escape-text.ts";
import { type Hearing, hear } from "./hear.ts";
import type { Surroundings } from "./terminal.ts";

/**
 * Let a coordinator that is alive and paused go on. That is all that can be said to it from outside.
 *
 * @returns Whether there was one.
 * @throws {EnvironmentError} `spec-locked` when more is to be said to a coordinator that is alive, or it is not paused
 */
export async function wakeRun(
  { name, folder, dataFolder }: SpecFolder,
  words: CliWords,
  address: SpecAddress,
  { terminal, signal }: Pick<Surroundings, "terminal" | "signal">,
): Promise<boolean> {
  const { running, paused } = readStatus(folder);
  if (running === null) return false;
  const { pid } = running;
  if (words["guidance"] !== undefined || words["decision"] !== undefined) {
    throw locked(pid, `Answer in the terminal where it asks, or stop it first: ${commandLine(address, "stop")}`);
  }
  const { cwd: _, ...more } = words;
  const file = pauseFile(dataFolder);
  if (Object.values(more).some((word) => word !== undefined)) {
    if (!file.isPaused()) return false;
    throw locked(
      pid,
      `Have it go on as it is: ${commandLine(address, "resume")}\nOr end it first: ${commandLine(address, "stop")}`,
    );
  }
  if (!file.resume(whoSpeaks())) throw notPaused(name, { pid, byProgram: paused, address });
  const { kind } = await hear(dataFolder, "resume", signal);
  terminal.out(`${escapeText(tell[kind](name, pid, address))}\n`);
  return true;
}

const tell: Record<Hearing["kind"], (name: string, pid: number, address: SpecAddress) => string> = {
  heard: (name, pid) => `Resumed: coordinator ${pid} goes on with ${name}`,
  ended: (_name, pid, address) => `Coordinator ${pid} has ended meanwhile. Go on: ${commandLine(address, "run")}`,
  waiting: (name, pid) => `Resuming ${name}: coordinator ${pid} has not noticed it yet. It goes on as soon as it does.`,
};

const locked = (pid: number, hint: string): EnvironmentError =>
  new EnvironmentError(`Cannot take the spec, process ${pid} holds it`, { code: "spec-locked", hint });

/** `byProgram`: whether it is paused, but by the program that it runs in. */
const notPaused = (
  name: string,
  { pid, byProgram, address }: { readonly pid: number; readonly byProgram: boolean; readonly address: SpecAddress },
): EnvironmentError =>
  new EnvironmentError(
    `Cannot resume \`${name}\`, coordinator ${pid} is ${byProgram ? "paused by its own program" : "not paused"}`,
    {
      code: "spec-locked",
      hint: byProgram ? "Have it go on where it runs" : `See where it stands: ${commandLine(address, "status")}`,
    },
  );
