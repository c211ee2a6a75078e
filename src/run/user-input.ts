import { type PersonDecision, type PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import type { RunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task.ts";
import type { PersonAnswer, PersonQuestion } from "../ports/ports.ts";
import type { PendingQuestion, PreviousOutcome } from "./previous-outcome.ts";

export interface UserInput {
  readonly guidance?: string | undefined;
  readonly decision?: PersonDecision | undefined;
  readonly resume?: boolean | undefined;
  /** The task whose question is answered, if several questions wait: the planned task, or the task asked about. */
  readonly task?: TaskId | undefined;
  /** The process that gives the input; the program itself if not given. */
  readonly speaker?: Speaker | undefined;
}

/**
 * The question that the input answers: the only open question, or the question about the named task. Null if there is
 * none.
 */
export function answeredQuestion(
  { task }: Pick<UserInput, "task">,
  { asked, parked }: PreviousOutcome,
): PendingQuestion | null {
  const open = asked === null ? parked : [asked, ...parked];
  if (task !== undefined) return open.find(({ root, current }) => root === task || current === task) ?? null;
  return asked ?? (parked.length === 1 ? (parked[0] as PendingQuestion) : null);
}

/**
 * Record that resumes parked tasks: the task that the input is about or, without input, all parked tasks. Without
 * input, there is no record if this start resumes where the previous start was interrupted.
 */
export function unparkRecords(words: UserInput, past: PreviousOutcome): readonly RunRecord[] {
  const { guidance, decision, speaker } = words;
  const outcome = past.ended?.ending.outcome ?? "interrupted";
  const isSaid = guidance !== undefined || decision !== undefined;
  const isOver = outcome !== "interrupted" && outcome !== "environment";
  const meant = isSaid ? answeredQuestion(words, past) : null;
  const roots = past.parked.map(({ root }) => root).filter((root) => (isSaid ? root === meant?.root : isOver));
  return roots.length === 0 ? [] : [{ type: "takenUp", tasks: roots, ...spokenBy(speaker) }];
}

/**
 * Records of a person's input for a start that does not resume mid-turn: the task in question starts over, with or
 * without guidance, and `retry` restores skipped tasks.
 */
export function inputRecords(words: UserInput, past: PreviousOutcome, midTurn: boolean): readonly RunRecord[] {
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
  const asked = answeredQuestion(words, past);
  const goesOn = decision === undefined ? letsGoOn(words, past) : decision === "retry";
  if (midTurn || asked === null || !goesOn) return [];
  return [
    ...(guidance === "" ? [] : [{ type: "guided", task: asked.root, text: guidance, ...by } as const]),
    { type: "reset", task: asked.root, ...by },
  ];
}

/** Messages for a run whose previous start did not end with a question. They answer any question that waits. */
export function inputEvents(words: UserInput, past: PreviousOutcome): readonly PersonEvent[] {
  const { guidance = "", decision } = words;
  if (answeredQuestion(words, past) !== null || past.skipped !== null) return [];
  if (decision !== undefined) return [{ type: "decision.made", decision }];
  return guidance === "" ? [] : [{ type: "guidance.given", text: guidance }];
}

/**
 * The answer to the question that ended the previous start; null if the input does not answer the question.
 *
 * @param midTurn Whether the question is still open. For a closed question, only an answer that ends the work on the
 * task counts.
 */
export function inputAnswer(words: UserInput, past: PreviousOutcome, midTurn: boolean): PersonAnswer | null {
  const { guidance = "", decision } = words;
  if (decision !== undefined) return midTurn || decision !== "retry" ? { kind: "decided", decision } : null;
  return midTurn && letsGoOn(words, past) ? { kind: "guided", text: guidance } : null;
}

/**
 * Whether input given for one question answers a later question. A skip counts only for the same task: if the parts
 * were abandoned meanwhile, the later question is about the whole task.
 */
export const answers = (
  { decision }: Pick<UserInput, "decision">,
  asked: PendingQuestion,
  { task, current, about }: PersonQuestion,
): boolean => task === asked.root && (decision !== "skip" || about === "checkpoint" || current === asked.current);

/** Whether the input lets the work continue: guidance, or a resume after a checkpoint. */
const letsGoOn = ({ guidance, resume }: UserInput, past: PreviousOutcome): boolean =>
  guidance !== undefined || (resume === true && past.ended?.ending.outcome === "checkpoint");
