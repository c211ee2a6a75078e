import type { PersonDecision } from "../../model/person-event.ts";
import { plainLine } from "../text/plain-line.ts";
import { encodeCode } from "./encode-line.ts";
import { listBlock } from "./list-block.ts";

/** The command that goes on from a checkpoint with the advice of a person. @param spec Its name, as one plain line. */
export const resumeCommand = (spec: string): string => `fixpoint resume ${plainLine(spec, 100)} --guidance "…"`;

/** The command that answers a checkpoint with a decision. @param spec Its name, as one plain line. */
export const decideCommand = (spec: string, decision: PersonDecision): string =>
  `fixpoint resume ${plainLine(spec, 100)} --decision ${decision}`;

/** How a spec goes on from a checkpoint, in blocks of markdown. */
export function tellResume(spec: string): string[] {
  const name = plainLine(spec, 100);
  const options = [
    `Option 1: Give guidance: ${encodeCode(resumeCommand(spec))}`,
    `Option 2: Go on as it is: ${encodeCode(`fixpoint resume ${name}`)}`,
    `Option 3: Fix it by hand, tick its box in tasks.md, then run ${encodeCode(`fixpoint run ${name}`)}`,
    `Option 4: Leave the task out: ${encodeCode(decideCommand(spec, "skip"))}`,
    `Option 5: End the run: ${encodeCode(decideCommand(spec, "stop"))}`,
  ];
  return [listBlock(options, "-", "")];
}
