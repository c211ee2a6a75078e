import { pauseFile } from "../../adapters/pause-file.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readStatus } from "../node/read-status.ts";
import type { CliWords } from "./cli-command.ts";
import { escapeText } from "./escape-text.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Let a coordinator that is alive and paused go on. That is all that can be said to it from outside.
 *
 * @returns Whether there was one.
 * @throws {EnvironmentError} `spec-locked` when more is to be said to a coordinator that is alive, or it is not paused
 */
export function wakeRun({ name, folder, dataFolder }: SpecFolder, words: CliWords, { out }: Terminal): boolean {
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
  if (!file.resume()) throw notPaused(name, pid, paused);
  out(`Resumed: coordinator ${pid} goes on with ${escapeText(name)}\n`);
  return true;
}

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
