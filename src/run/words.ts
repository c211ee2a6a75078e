import { type PersonDecision, type PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import type { RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task.ts";
import type { PersonAnswer, PersonQuestion } from "../ports/person.ts";
import type { AskedBefore, Past } from "./past.ts";

/** What a person tells a start. */
export interface Words {
  readonly guidance?: string | undefined;
  readonly decision?: PersonDecision | undefined;
  readonly resume?: boolean | undefined;
  /** The task whose question is answered, where several wait: the planned one, or the one that is asked about. */
  readonly task?: TaskId | undefined;
  /** The process that says it; the program itself when not given. */
  readonly speaker?: Speaker | undefined;
}

/** The question that words are about: the only one, or that of the task they name; null where there is none. */
export function questionMeant({ task }: Pick<Words, "task">, { asked, parked }: Past): AskedBefore | null {
  const open = asked === null ? parked : [asked, ...parked];
  if (task !== undefined) return open.find(({ root, current }) => root === task || current === task) ?? null;
  return asked ?? (parked.length === 1 ? (parked[0] as AskedBefore) : null);
}

/**
 * The tasks that waited for a person and are gone on with: the one that words are about; without words all, unless the
 * start before was broken off and goes on where it was.
 */
export function takenUpBy(words: Words, past: Past): readonly RunRecord[] {
  const { guidance, decision, speaker } = words;
  const outcome = past.ended?.ending.outcome ?? "interrupted";
  const isSaid = guidance !== undefined || decision !== undefined;
  const isOver = outcome !== "interrupted" && outcome !== "environment";
  const meant = isSaid ? questionMeant(words, past) : null;
  const roots = past.parked.map(({ root }) => root).filter((root) => (isSaid ? root === meant?.root : isOver));
  return roots.length === 0 ? [] : [{ type: "takenUp", tasks: roots, ...spokenBy(speaker) }];
}

/**
 * What a person's words change before a start that does not go on in mid-turn: the task that was asked about begins
 * anew, with advice or without, and `retry` takes up what was left out.
 */
export function recordsOf(words: Words, past: Past, midTurn: boolean): readonly RunRecord[] {
  const { decision, guidance = "", speaker } = words;
  const by = spokenBy(speaker);
  if (past.skipped !== null && decision === "retry") {
    return past.skipped.map((task) => ({
      type: "skipped",
      task,
      justification: null,
      ...by,
    }));
  }
  const asked = questionMeant(words, past);
  const goesOn = decision === undefined ? letsGoOn(words, past) : decision === "retry";
  if (midTurn || asked === null || !goesOn) return [];
  return [
    ...(guidance === "" ? [] : [{ type: "guided", task: asked.root, text: guidance, ...by } as const]),
    { type: "reset", task: asked.root, ...by },
  ];
}

/** What a person says where no question has ended the start before: whatever waits for it takes it. */
export function wordsNow(words: Words, past: Past): readonly PersonEvent[] {
  const { guidance = "", decision } = words;
  if (questionMeant(words, past) !== null || past.skipped !== null) return [];
  if (decision !== undefined) return [{ type: "decision.made", decision }];
  return guidance === "" ? [] : [{ type: "guidance.given", text: guidance }];
}

/**
 * What a person's words answer the question with that has ended the start before; null where they answer none.
 *
 * @param midTurn Whether that very question is still open; else only what ends the work on it is to be said.
 */
export function answerOf(words: Words, past: Past, midTurn: boolean): PersonAnswer | null {
  const { guidance = "", decision } = words;
  if (decision !== undefined) return midTurn || decision !== "retry" ? { kind: "decided", decision } : null;
  return midTurn && letsGoOn(words, past) ? { kind: "guided", text: guidance } : null;
}

/**
 * Whether words that were said to a question answer this one. What is left out has to be what was asked about then:
 * where parts are given up in between, the question comes back about their whole.
 */
export const answers = (
  { decision }: Pick<Words, "decision">,
  asked: AskedBefore,
  { task, current, about }: PersonQuestion,
): boolean => task === asked.root && (decision !== "skip" || about === "checkpoint" || current === asked.current);

/** To resume a checkpoint is to say that it goes on, with advice or without. */
const letsGoOn = ({ guidance, resume }: Words, past: Past): boolean =>
  guidance !== undefined || (resume === true && past.ended?.ending.outcome === "checkpoint");
