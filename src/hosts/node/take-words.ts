import type { RunMemory } from "../../effects/run-memory.ts";
import type { PersonEvent } from "../../model/person-event.ts";
import type { RunRecord } from "../../model/record.ts";
import { spokenBy } from "../../model/speaker.ts";
import { askedBefore, endedBefore } from "./asked-before.ts";
import type { Start } from "./start.ts";

/**
 * What a person's words change before a start that does not go on in mid-turn: the task that was asked about begins
 * anew, with advice or without, and `retry` takes up what was left out.
 */
export function takeWords(start: Start, memory: RunMemory, midTurn: boolean): readonly RunRecord[] {
  const { decision, guidance, resume, speaker } = start.options;
  const by = spokenBy(speaker);
  const last = start.origin.ended?.ending.outcome;
  if (last === "skipped" && decision === "retry") {
    return [...memory.skipped().keys()].map((task) => ({ type: "skipped", task, justification: null, ...by }));
  }
  const asked = askedBefore(start, memory);
  const goesOn =
    decision === "retry" ||
    guidance !== undefined ||
    (resume === true && endedBefore(start)?.ending.outcome === "checkpoint");
  if (midTurn || asked === null || !goesOn || (decision !== undefined && decision !== "retry")) return [];
  return [
    ...((guidance ?? "") === "" ? [] : [{ type: "guided", task: asked.root, text: guidance ?? "", ...by } as const]),
    { type: "reset", task: asked.root, ...by },
  ];
}

/** What a person says where no question has ended the start before: whatever waits for it takes it. */
export function wordsNow(start: Start, memory: RunMemory): readonly PersonEvent[] {
  const { guidance = "", decision } = start.options;
  if (askedBefore(start, memory) !== null || start.origin.ended?.ending.outcome === "skipped") return [];
  if (decision !== undefined) return [{ type: "decision.made", decision }];
  return guidance === "" ? [] : [{ type: "guidance.given", text: guidance }];
}
