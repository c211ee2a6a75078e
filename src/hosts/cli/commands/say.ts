import * as z from "zod";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { EnvironmentError, type FixpointError, InputError } from "../../../model/errors.ts";
import { PersonDecision } from "../../../model/person-event.ts";
import { nearestName } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderReceipt } from "../../../wording/render-receipt.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import type { SpecFolder } from "../../node/find-spec.ts";
import { type StopReceipt, stopRun } from "../../node/message-run.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { holderOf } from "../../node/reading/recorded-starts.ts";
import { type OutgoingMessage, personEventOf, sendToRun } from "../../node/send-message.ts";
import { command, queue } from "../command.ts";
import { flag } from "../options/read-flag.ts";
import { checkGuidance } from "../options/run-flags.ts";

const words = ["guidance", ...PersonDecision.options] as const;

export const say = command({
  options: {
    task: flag(z.string(), "--task <id>", "the task whose question you answer, when several are open"),
    queue,
  },
  choices: { word: words },
  example: 'fixpoint say guidance "Use the parser of the core package" my-feature',
  async run({ words: typed, given: { task, queue: to }, open, surroundings: { terminal, signal } }) {
    if (to !== undefined) return void terminal.out(await sayToFleet(to, typed, task));
    const { word, text, named } = readWords(typed);
    const said: OutgoingMessage = {
      ...(text === undefined ? { word } : { word, text }),
      ...(task !== undefined && { task }),
    };
    const { spec: found, address } = open(named, word === "guidance" ? 'say guidance "…"' : `say ${word}`);
    const by = senderOf(found, `say ${said.word}`);
    const heard = await sendToRun(found, said, { by, address, signal });
    const told = escapeText(renderReceipt(heard, address));
    if (heard.receipt.kind === "late" || heard.receipt.kind === "ended") {
      throw new InputError(told, { code: "not-heard" });
    }
    terminal.out(`${told}\n`);
  },
});

/**
 * Send a message to a run of a fleet; `typed` holds the arguments after the name of the run. @param task The task whose
 * question the message answers.
 */
async function sayToFleet(
  to: string,
  [run = "", ...typed]: readonly string[],
  task: string | undefined,
): Promise<string> {
  const { word, text, named } = readWords(typed);
  if (named !== undefined) throw needless(named, word, "nothing there: the name of the run comes before the message");
  const { sayToRun } = await import("../../dbos/fleet.ts");
  await sayToRun(to, run, personEventOf({ word, text }), task);
  return `Sent ${word} to ${escapeText(run)}\n`;
}

/** Parse the message, its optional text, and the spec. */
function readWords([given, second, third]: readonly string[]) {
  const word = words.find((each) => each === given);
  if (word === undefined) {
    const nearest = given === undefined ? undefined : nearestName(given, words);
    throw new InputError(`Cannot say \`${given ?? ""}\`, expected one of ${words.join(", ")}`, {
      code: "bad-usage",
      hint: nearest === undefined ? "See fixpoint say --help" : `Did you mean ${nearest}?`,
    });
  }
  if (word === "guidance") return { word, text: checkGuidance(second ?? "", "say guidance"), named: third };
  if (third !== undefined) throw needless(third, word, "only a spec");
  return { word, named: second };
}

const needless = (given: string, word: string, expected: string): InputError =>
  new InputError(`Cannot use \`${given}\` after \`say ${word}\`, expected ${expected}`, {
    code: "bad-usage",
    hint: 'Send advice separately: fixpoint say guidance "…"',
  });

export const pause = command({
  options: {},
  example: "fixpoint pause my-feature",
  async run({ words: [named], open, surroundings: { terminal, signal } }) {
    const { spec: found, address } = open(named, "pause");
    const by = senderOf(found, "pause");
    if (holderOf(found) === null) {
      throw new InputError(`Cannot pause \`${found.name}\`, expected a run that is at work here`, {
        code: "nothing-to-pause",
        hint: `See the state of the run: ${commandLine(address, "status")}`,
      });
    }
    const said = await sendToRun(found, { word: "pause" }, { by, address, signal });
    terminal.out(`${escapeText(renderReceipt(said, address))}\n`);
  },
});

export const stop = command({
  options: {},
  example: "fixpoint stop my-feature",
  async run({ words: [named], open, surroundings: { terminal, signal } }) {
    const { spec: found, address } = open(named, "stop");
    const receipt = await stopRun(found, senderOf(found, "stop"), signal);
    if (receipt.kind !== "ended") throw notStopped(found.name, receipt, address);
    terminal.out(`${escapeText(tell(found, receipt.pid, address))}\n`);
  },
});

function notStopped(
  name: string,
  receipt: Exclude<StopReceipt, { kind: "ended" }>,
  address: SpecAddress,
): FixpointError {
  switch (receipt.kind) {
    case "none":
      return new InputError(`Cannot stop \`${name}\`, expected a run that is at work here`, {
        code: "nothing-to-stop",
        hint: `See the state of the run: ${commandLine(address, "status")}`,
      });
    case "elsewhere": {
      const { pid, host } = receipt;
      return new EnvironmentError(`Cannot stop \`${name}\` from here: process ${pid} on \`${host}\` runs it`, {
        code: "spec-on-other-host",
        hint: `Stop the run there: ${commandLine(address, "stop")}`,
      });
    }
    case "foreign":
      return new InputError(
        `Cannot stop \`${name}\`: its lease names process ${receipt.pid}, with the spec \`${receipt.spec}\``,
        {
          code: "nothing-to-stop",
          hint: "If the folder was copied or moved during a run, stop that run where it began, or by Ctrl-C",
        },
      );
    case "at-work": {
      const { pid } = receipt;
      return new EnvironmentError(`Cannot stop \`${name}\`: coordinator ${pid} was asked to end and is still at work`, {
        code: "not-stopped",
        hint: `See whether the run has ended by now: ${commandLine(address, "status")}\nOr end the coordinator at once: kill -9 ${pid}`,
      });
    }
  }
}

function tell({ folder, name }: SpecFolder, pid: number, address: SpecAddress): string {
  const goOn = `Continue: ${commandLine(address, "run")}`;
  const { outcome } = readStatus(folder);
  if (outcome === "interrupted") return `Stopped ${name}: coordinator ${pid} has ended. ${goOn}`;
  return outcome === null
    ? `Stopped ${name}: coordinator ${pid} has died before it could end properly. ${goOn}`
    : `Coordinator ${pid} of ${name} had already ended: ${outcome}`;
}
