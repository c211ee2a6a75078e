import { isBroken, openQuestions, questionOf } from "../../../runtime/open-questions.ts";
import type { ShownRun } from "../shown-run.ts";

/** What a run stands at that is not over, or has stopped at. */
export interface Standing {
  /** Whether a coordinator is at work. */
  readonly running: boolean;
  readonly paused: boolean;
  /** What a person is asked, and how it is answered; null when nothing is. */
  readonly question: { readonly task: string | null; readonly text: string; readonly hint: string | null } | null;
}

export function standingOf(run: ShownRun): Standing {
  const { turn, head } = run;
  const { held } = run.atWork;
  const { state } = run.at(run.last);
  const ended = state.ended?.ending ?? null;
  const asked = isBroken(ended) && turn !== null ? openQuestions([turn], state) : [];
  const question = questionOf({ ended, asked, held }, head.address);
  return {
    running: held,
    paused: held && state.paused,
    question: question && { task: asked[0]?.task ?? null, ...question },
  };
}
