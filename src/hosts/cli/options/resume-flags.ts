import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { longestGuidance, PersonDecision } from "../../../model/person-event.ts";
import type { RunOptions } from "../../node/run-options.ts";
import type { CliOption, OptionValues } from "../cli-command.ts";

const decisions = PersonDecision.options;

/** What a person says to a run that was stopped. */
export type ResumeAnswer = Pick<RunOptions, "guidance" | "decision">;

/** Options that only `resume` has. */
export const resumeFlags: readonly CliOption[] = [
  {
    flags: "--guidance <text>",
    summary: "advice for the task that stopped the run; every later attempt at it is told this",
    group: "Your answer",
  },
  {
    flags: "--decision <choice>",
    summary: `what to do with the task that stopped the run: ${decisions.join(", ")}`,
    group: "Your answer",
  },
];

/**
 * What the command line says to a run that was stopped.
 *
 * @throws {InputError} `bad-option`
 */
export function readResumeFlags({ guidance, decision }: OptionValues): ResumeAnswer {
  if (guidance !== undefined && decision !== undefined) {
    throw new InputError("Cannot use --guidance beside --decision, expected one of them", {
      code: "bad-option",
      hint: "Guidance has the task tried again: leave --decision out",
    });
  }
  if (typeof guidance === "string") return { guidance: readGuidance(guidance, "--guidance") };
  return typeof decision === "string" ? { decision: readDecision(decision) } : {};
}

/**
 * Advice of a person as it was given.
 *
 * @param name What it was given with.
 * @throws {InputError} `bad-option`
 */
export function readGuidance(text: string, name: string): string {
  if (text.trim() !== "" && text.length <= longestGuidance) return text;
  const given = text.length > longestGuidance ? `of ${text.length} characters` : `\`${text}\``;
  throw new InputError(`Cannot use ${name} ${given}, expected 1 to ${longestGuidance} characters`, {
    code: "bad-option",
  });
}

function readDecision(text: string): PersonDecision {
  const known = decisions.find((each) => each === text);
  if (known !== undefined) return known;
  const nearest = nearestName(text, decisions);
  throw new InputError(`Cannot use --decision \`${text}\`, expected one of ${decisions.join(", ")}`, {
    code: "bad-option",
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
  });
}
