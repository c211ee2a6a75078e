import { InputError } from "../../../model/errors.ts";
import { tellMissing } from "../../node/consent/agree.ts";
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
  terminal: Pick<Terminal, "ask" | "out" | "columns" | "rows">,
  again: string,
): Promise<ReadonlyMap<FoundRun, string>> {
  const { ask, out } = terminal;
  const accepted = new Map<FoundRun, string>();
  const agreed: FirstQuestion[] = [];
  const missing: Parameters<typeof tellMissing>[0][number][] = [];
  for (const run of runs) {
    const question = await questionOf(run);
    if (question === null) continue;
    const { text, items, hash, doubt } = question;
    if (question.isAnswered) agreed.push(question);
    else if (ask !== undefined) {
      const whole = `${run.label}: ${text} ${question.ask}`;
      if (!(await askPerson(whole, items, ask, out, terminal))) continue;
      agreed.push(question);
      accepted.set(run, hash);
    } else if (question.refuses) missing.push({ label: run.label, doubt, items });
  }
  // A run whose turn comes late, or only at another call, is not asked again.
  if (missing.length === 0) for (const question of agreed) question.agree();
  if (missing.length === 0) return accepted;
  throw new InputError(tellMissing(missing), {
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
