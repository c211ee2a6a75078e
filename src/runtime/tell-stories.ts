import type { Fact } from "../model/explanation.ts";
import type { Told } from "../model/frame.ts";
import type { TimedRunRecord } from "../model/record.ts";
import type { TaskId } from "../model/task-id.ts";
import { escapeText } from "../wording/escape-text.ts";
import { renderFact } from "../wording/render-fact.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { splitTurns } from "./split-turns.ts";
import { tellRecord } from "./tell-record.ts";
import { tellTurn } from "./tell-turn.ts";
import { usageTeller } from "./tell-usage.ts";

/**
 * What there is to tell about each task of a run, in the words of `fixpoint why`, oldest first.
 *
 * @param starts Oldest first; those turns of them are enough in which something was recorded for the task.
 * @param places Number of the frame from which each record is seen.
 * @param wanted The task that is told of; all when not given.
 */
export function tellStories(
  starts: readonly RecordedStart[],
  places: ReadonlyMap<TimedRunRecord, number>,
  wanted?: TaskId,
): ReadonlyMap<TaskId, Told[]> {
  const moved = new Map(splitTurns(starts).flatMap((turn) => [...tellTurn(turn)]));
  const stories = new Map<TaskId, Told[]>();
  for (const { records } of starts) {
    const tellUsage = usageTeller();
    for (const record of records) {
      for (const fact of [...tellRecord(record), ...tellUsage(record), ...(moved.get(record) ?? [])]) {
        for (const task of tasksOf(fact)) {
          if (wanted !== undefined && wanted !== task) continue;
          const told = stories.get(task) ?? [];
          told.push(toldFrom(fact, places.get(record) ?? 0));
          stories.set(task, told);
        }
      }
    }
  }
  return stories;
}

/** The tasks that a fact says something of. */
function tasksOf(fact: Fact): TaskId[] {
  const about = "task" in fact && fact.task !== null ? [fact.task] : [];
  return fact.kind === "inserted" ? [...about, fact.fix] : about;
}

function toldFrom(fact: Fact, frame: number): Told {
  const { head, details } = renderFact(fact);
  return {
    frame,
    at: Date.parse(fact.at),
    kind: fact.kind,
    task: "task" in fact ? fact.task : null,
    attempt: "attempt" in fact ? fact.attempt : null,
    head: escapeText(head),
    details: details.map(escapeText),
    ...shownOf(fact),
  };
}

/** What is shown of a fact beside its words. */
function shownOf(fact: Fact): Pick<Told, "layers" | "failing" | "gauges"> {
  if (fact.kind === "judged") {
    const layers = fact.layers.map(({ layer, kind, reason, note }) => {
      return { layer, kind, text: escapeText(reason ?? note ?? "") };
    });
    return { layers };
  }
  if (fact.kind === "measured") {
    const { failing, of, change, lost, gained } = fact.progress;
    return { failing: { count: failing, of, change, lost: lost.map(escapeText), gained: gained.map(escapeText) } };
  }
  if (fact.kind !== "decided") return {};
  const gauges = fact.considered.flatMap(({ limit, task, spent, max }) =>
    limit === null || max === null ? [] : [{ limit, task, spent, max }],
  );
  return { gauges };
}
