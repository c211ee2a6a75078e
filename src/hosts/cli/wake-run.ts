import { pauseFile } from "../../adapters/pause-file.ts";
import { whoSpeaks } from "../../adapters/speaker.ts";
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
  { terminal, signal }: Pick<Surroundings, "terminal" | "signal">,
): Promise<boolean> {
  const { running, paused } = readStatus(folder);
  if (running === null) return false;
  const { pid } = running;
  if (words["guidance"] !== undefined || words["decision"] !== undefined) {
    throw locked(pid, `Answer where it asks, or end it first, then say it again: kill ${pid}`);
  }
  const { cwd: _, ...more } = words;
  const file = pauseFile(dataFolder);
  if (Object.values(more).some((word) => word !== undefined)) {
    if (!file.isPaused()) return false;
    throw locked(pid, `Have it go on as it is: fixpoint resume ${name}; or end it first: kill ${pid}`);
  }
  if (!file.resume(whoSpeaks())) throw notPaused(name, pid, paused);
  const { kind } = await hear(dataFolder, "resume", signal);
  terminal.out(`${escapeText(tell[kind](name, pid))}\n`);
  return true;
}

const tell: Record<Hearing["kind"], (name: string, pid: number) => string> = {
  heard: (name, pid) => `Resumed: coordinator ${pid} goes on with ${name}`,
  ended: (name, pid) => `Coordinator ${pid} has ended meanwhile. Go on: fixpoint run ${name}`,
  waiting: (name, pid) => `Resuming ${name}: coordinator ${pid} has not heard it yet. Once it looks it goes on.`,
};

const locked = (pid: number, hint: string): EnvironmentError =>
  new EnvironmentError(`Cannot take the spec, process ${pid} holds it`, { code: "spec-locked", hint });

/** @param byProgram Whether it is paused, but by the program that it runs in. */
const notPaused = (name: string, pid: number, byProgram: boolean): EnvironmentError =>
  new EnvironmentError(
    `Cannot resume \`${name}\`, coordinator ${pid} is ${byProgram ? "paused by its own program" : "not paused"}`,
    {
      code: "spec-locked",
      hint: byProgram ? "Have it go on where it runs" : `See where it stands: fixpoint status ${name}`,
    },
  );
