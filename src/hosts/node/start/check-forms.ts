import { InputError } from "../../../model/errors.ts";
import { longestGuidance, PersonDecision, PersonEvent } from "../../../model/person-event.ts";
import { LadderChoices } from "../../../model/rung.ts";
import { tellIssues } from "../../../model/tell-issues.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Check the form of options that nothing else reads first: the compiler of a program may not have checked their types.
 *
 * @throws {InputError} `bad-option`
 */
export function checkForms({ decision, guidance, ladder }: Pick<RunOptions, "decision" | "guidance" | "ladder">): void {
  if (decision !== undefined && !PersonDecision.safeParse(decision).success) {
    throw bad("decision", JSON.stringify(decision), `one of ${PersonDecision.options.join(", ")}`);
  }
  if (guidance !== undefined && !PersonEvent.safeParse({ type: "guidance.given", text: guidance }).success) {
    const given = typeof guidance === "string" ? `of ${(guidance as string).length} characters` : typeof guidance;
    throw bad("guidance", given, `a text of at most ${longestGuidance} characters`);
  }
  const choices = LadderChoices.safeParse(ladder ?? {});
  if (!choices.success) {
    const names = Object.keys(LadderChoices.shape).join(", ");
    throw bad("ladder", JSON.stringify(ladder), `true or false for ${names} (${tellIssues(choices.error)})`);
  }
}

const bad = (name: string, given: string, expected: string): InputError =>
  new InputError(`Cannot use \`${name}\` ${given}, expected ${expected}`, {
    code: "bad-option",
    hint: `Correct \`${name}\`, or leave it out`,
  });
