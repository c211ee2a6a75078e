import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { Speaker } from "../../model/speaker.ts";
import { escapeText } from "../../wording/escape-text.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { isPauseAsked, type Receipt, resumeRun } from "../node/message-run.ts";
import { readStatus } from "../node/reading/read-status.ts";
import type { OptionValues } from "./cli-command.ts";
import type { Surroundings } from "./terminal.ts";

/**
 * Let a coordinator that is alive and paused go on. It takes no other message from outside.
 *
 * @returns Whether there was one.
 * @throws {EnvironmentError} `spec-locked` when the call says more to a coordinator that is alive, or it is not paused
 */
export async function wakeRun(
  spec: SpecFolder,
  by: Speaker,
  { values, address }: { readonly values: OptionValues; readonly address: SpecAddress },
  { terminal, signal }: Pick<Surroundings, "terminal" | "signal">,
): Promise<boolean> {
  const { running, paused } = readStatus(spec.folder);
  if (running === null) return false;
  const { pid } = running;
  if (values["guidance"] !== undefined || values["decision"] !== undefined) {
    throw locked(pid, `Answer in the terminal where it asks, or stop it first: ${commandLine(address, "stop")}`);
  }
  const { cwd: _, ...more } = values;
  if (Object.values(more).some((word) => word !== undefined)) {
    if (!isPauseAsked(spec)) return false;
    throw locked(
      pid,
      `Have it go on as it is: ${commandLine(address, "resume")}\nOr end it first: ${commandLine(address, "stop")}`,
    );
  }
  const receipt = await resumeRun(spec, by, signal);
  if (receipt === null) throw notPaused(spec.name, { pid, byProgram: paused, address });
  terminal.out(`${escapeText(tell[receipt.kind](spec.name, pid, address))}\n`);
  return true;
}

const tell: Record<Receipt["kind"], (name: string, pid: number, address: SpecAddress) => string> = {
  recorded: (name, pid) => `Resumed: coordinator ${pid} goes on with ${name}`,
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
