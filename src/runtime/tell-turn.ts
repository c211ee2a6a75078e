import type { Fact } from "../model/explanation.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { RecordedTurn } from "./split-turns.ts";
import { tellEvent } from "./tell-event.ts";
import { timeOf } from "./time-of.ts";
import { walkTurn } from "./walk.ts";

/** What only the machines know of the records of a turn: the moves that they have led to. */
export function tellTurn(turn: RecordedTurn): ReadonlyMap<TimedRunRecord, readonly Fact[]> {
  const { moves, diverged } = walkTurn(turn, turn.records);
  const told = new Map<TimedRunRecord, readonly Fact[]>();
  for (const [record, move] of moves) {
    const facts = move.events.map((event) => tellEvent(event, record, move, turn.policy));
    told.set(
      record,
      facts.filter((fact) => fact !== null),
    );
  }
  if (diverged !== null) told.set(diverged, [{ kind: "untold", at: timeOf(diverged.at), key: diverged.key }]);
  return told;
}
