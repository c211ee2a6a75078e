import type { RunRecord } from "../model/record.ts";
import type { Inspect } from "./inspect.ts";
import { inspectTree } from "./inspect-tree.ts";
import { specMachine } from "./spec-machine.ts";
import { type MachineMove, report, send } from "./step.ts";
import type { StepState } from "./step-state.ts";

/** Tells an inspector of a run what it would be told of a native actor. */
export interface Inspection {
  /** Tell what records have led to. */
  follow(records: readonly RunRecord[]): void;
}

/**
 * Inspect a run from where its charts are. What they do is derived from its records, in the order of XState: an actor is
 * told of when it is made, an event when it is sent, a snapshot when all that it has led to is done.
 *
 * @param input What the charts were started with.
 */
export function inspectRun(inspect: Inspect, from: StepState, input: unknown): Inspection {
  const machine = specMachine();
  const moves = Object.entries(from.nodes).map(([path, node]) => ({
    ...{ path, node, isDone: false, output: undefined },
    event: { type: "xstate.init", ...(path === "" && { input }) },
  }));
  const tree = inspectTree(inspect, machine, moves);
  let charts = from;
  return {
    follow: (records) => {
      for (const record of records) {
        const made: MachineMove[] = [];
        const watch = (move: MachineMove) => void made.push(move);
        if (record.type === "answered") charts = report(machine, charts, record.key, record.answer, watch).state;
        if (record.type === "said") charts = send(machine, charts, record.event, watch).state;
        tree.tell(made);
      }
    },
  };
}
