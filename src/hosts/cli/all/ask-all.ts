import { InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type FirstQuestion, lookAhead } from "../../node/consent/ask-first.ts";
import { askPerson } from "../person-at.ts";
import type { Terminal } from "../terminal.ts";
import type { FoundRun } from "./found-run.ts";

/**
 * Ask the owner all that the runs of these specs would ask before they begin, so that none of them stops over it when
 * nobody is there any more.
 *
 * @param again The line that agrees to all of it.
 * @returns The hash of the question that was agreed to, by run.
 * @throws {InputError} `consent-missing` when nobody can be asked, with all that is to be agreed to
 */
export async function askAll(
  runs: readonly FoundRun[],
  { ask, out }: Pick<Terminal, "ask" | "out">,
  again: string,
): Promise<ReadonlyMap<FoundRun, string>> {
  const accepted = new Map<FoundRun, string>();
  const agreed: FirstQuestion[] = [];
  const missing: string[] = [];
  for (const run of runs) {
    const question = await questionOf(run);
    if (question === null) continue;
    const { text, items, hash } = question;
    if (question.isAnswered) agreed.push(question);
    else if (ask !== undefined) {
      if (!(await askPerson(`${run.label}: ${text} ${question.ask}`, items, ask, out))) continue;
      agreed.push(question);
      accepted.set(run, hash);
    } else if (question.refuses) missing.push(`${run.label}:`, ...items.map((item) => `  ${item}`));
  }
  // A run whose turn comes late, or only at another call, is not asked again.
  if (missing.length === 0) for (const question of agreed) question.agree();
  if (missing.length === 0) return accepted;
  const list = missing.map((line) => `  ${escapeText(line)}`).join("\n");
  throw new InputError(`Cannot run without consent, expected \`--yes\`, or \`y\` on a terminal:\n${list}`, {
    code: "consent-missing",
    hint: `Read them, then agree: ${again}`,
  });
}

/** Null also where the run cannot begin: its start tells why. */
async function questionOf({ prepared, end }: FoundRun): Promise<FirstQuestion | null> {
  if (prepared === null || end !== null) return null;
  try {
    return (await lookAhead(prepared.options)).question;
  } catch {
    return null;
  }
}
