import { plainLine } from "../../markdown/text/plain-line.ts";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import { encodeCode, listBlock } from "./report-text.ts";

const longest = 700;

/** The command that goes on from a checkpoint, as one plain line. */
const resume = (address: SpecAddress, ...options: string[]): string =>
  plainLine(commandLine(address, "resume", { options }), longest);

/** The same with the advice of a person. */
export const resumeCommand = (address: SpecAddress): string => resume(address, "--guidance", "…");

/** The command that answers a checkpoint with a decision, as one plain line. */
export const decideCommand = (address: SpecAddress, decision: PersonDecision): string =>
  resume(address, "--decision", decision);

/** How a spec goes on from a checkpoint, in blocks of markdown. */
export function tellResume(address: SpecAddress): string[] {
  const run = plainLine(commandLine(address, "run"), longest);
  const options = [
    `Option 1: Give guidance: ${encodeCode(resumeCommand(address))}`,
    `Option 2: Go on as it is: ${encodeCode(resume(address))}`,
    `Option 3: Fix it yourself, tick its box in tasks.md if its Verify has not failed, then run ${encodeCode(run)}`,
    `Option 4: Leave the task out: ${encodeCode(decideCommand(address, "skip"))}`,
    `Option 5: End the run: ${encodeCode(decideCommand(address, "stop"))}`,
  ];
  return [listBlock(options, "-", "")];
}
