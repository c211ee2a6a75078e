import type { SpecAddress } from "../../../model/command-line.ts";
import type { RunEnded } from "../../../model/event.ts";
import type { RunStatus } from "../../../model/status.ts";
import type { OpenQuestion } from "../../../runtime/open-questions.ts";
import { questionHints, sayHints } from "../../../wording/question-hints.ts";

type Question = RunStatus["question"];

/** What a run stands at. */
export interface Asking {
  /** How its last start has ended; null while that is under way, or was killed. */
  readonly ended: RunEnded | null;
  /** The questions that are open. */
  readonly asked: readonly OpenQuestion[];
  /** Whether the start is still waiting. */
  readonly held: boolean;
}

/** Whether questions of a start that has ended so may be open. */
export const isBroken = (ended: RunEnded | null): boolean =>
  ended === null || ended.outcome === "interrupted" || ended.outcome === "environment";

/** What a person has to answer before a run can go on; null when nothing is asked. */
export const questionOf = ({ ended, asked, held }: Asking, address: SpecAddress): Question =>
  questionIn(ended) ?? questionAbout(asked, address, held);

/** The question that a start has ended with. */
function questionIn(ended: RunEnded | null): Question {
  if (ended?.outcome !== "checkpoint" && ended?.outcome !== "gate") return null;
  return ended.error === undefined ? null : { text: ended.error, hint: ended.hint ?? null };
}

/** The question that a start waits with, or was stopped with. @param held Whether the start is still waiting. */
function questionAbout(asked: readonly OpenQuestion[], address: SpecAddress, held: boolean): Question {
  const [first] = asked;
  if (first === undefined) return null;
  const told = `Task ${asked.map(({ task }) => task).join(", ")} waits for a person`;
  if (held)
    return {
      text: `${told}: answer where it runs, or from here`,
      hint: sayHints(first, address, asked.length === 1).join("\n"),
    };
  const hint = questionHints(first, address, false).join("\n");
  return { text: `${told}: its question was not answered`, hint };
}
