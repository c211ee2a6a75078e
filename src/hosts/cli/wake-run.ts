import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { Speaker } from "../../model/speaker.ts";
import { escapeText } from "../../wording/escape-text.ts";
import { tellReceipt } from "../../wording/tell-receipt.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { willBePaused } from "../node/message-run.ts";
import { readStatus } from "../node/reading/read-status.ts";
import { sayWord } from "../node/say-word.ts";
import type { OptionValues } from "./cli-command.ts";
import type { Surroundings } from "./terminal.ts";

/**
 * Let a coordinator that is alive and paused go on. It takes no other message from `resume`.
 *
 * @returns Whether there was one.
 * @throws {EnvironmentError} `spec-locked` when the call says more to a coordinator that is alive, or it is not paused;
 *   `file-refused`, `user-folder-unusable`
 */
export async function wakeRun(
  spec: SpecFolder,
  by: Speaker,
  { values, address }: { readonly values: OptionValues; readonly address: SpecAddress },
  { terminal, signal }: Pick<Surroundings, "terminal" | "signal">,
): Promise<boolean> {
  const { running } = readStatus(spec.folder);
  if (running === null) return false;
  const paused = willBePaused(spec);
  const { pid } = running;
  const { guidance, decision, cwd: _, ...more } = values;
  if (guidance !== undefined || decision !== undefined) {
    const word = guidance === undefined ? String(decision) : ["guidance", String(guidance)];
    throw locked(pid, `Say it to the run that is going on: ${commandLine(address, "say", { task: word })}`);
  }
  if (Object.values(more).some((word) => word !== undefined)) {
    if (!paused) return false;
    throw locked(
      pid,
      `Have it go on as it is: ${commandLine(address, "resume")}\nOr end it first: ${commandLine(address, "stop")}`,
    );
  }
  if (!paused) {
    throw new EnvironmentError(`Cannot resume \`${spec.name}\`, coordinator ${pid} is not paused`, {
      code: "spec-locked",
      hint: `See where it stands: ${commandLine(address, "status")}`,
    });
  }
  const said = await sayWord(spec, { word: "resume" }, { by, address, signal });
  terminal.out(`${escapeText(tellReceipt(said, address))}\n`);
  return true;
}

const locked = (pid: number, hint: string): EnvironmentError =>
  new EnvironmentError(`Cannot take the spec, process ${pid} holds it`, { code: "spec-locked", hint });
