import { FixpointError } from "../model/errors.ts";

/** A run whose tasks are handed out, such as the result of `fileRun` of `fixpoint/node`. */
export interface SteppedRun<Step, Report, Reported extends { readonly next: Step }> {
  next(): Promise<Step>;
  report(nonce: string, report: Report): Promise<Reported>;
}

/** Output of another node of the graph: its report about a task that was handed out to it. */
export interface GraphReport<Report> {
  readonly nonce: string;
  readonly report: Report;
}

/** Output of the node. */
export interface GraphUpdate<Step, Reported> {
  /** What to do next. `kind`: `work`, `waiting`, `asked` or `ended`. */
  readonly step: Step;
  /** Results of the reports, in order; skipped reports have no result. */
  readonly taken: readonly Reported[];
  /** Always empty: clears the reports in the state of the graph. */
  readonly reports: readonly [];
}

/**
 * Create a node of a LangGraph graph that reports the work of other nodes and returns the next step. Skips reports that
 * the run has taken already or no longer waits for, since a graph that is resumed from a checkpoint may report twice.
 *
 * @throws {InputError} as `report`, except `nonce-used` and `nonce-stale`
 */
export const langgraphNode =
  <Step, Report, Reported extends { readonly next: Step }>(run: SteppedRun<Step, Report, Reported>) =>
  async ({ reports }: { readonly reports?: readonly GraphReport<Report>[] }): Promise<GraphUpdate<Step, Reported>> => {
    const taken: Reported[] = [];
    for (const { nonce, report } of reports ?? []) {
      try {
        taken.push(await run.report(nonce, report));
      } catch (error) {
        if (!(error instanceof FixpointError && passedOver.has(error.code))) throw error;
      }
    }
    // Ask for the step instead of taking it from the last verdict: another worker may have reported since.
    return { step: await run.next(), taken, reports: [] };
  };

const passedOver: ReadonlySet<string> = new Set(["nonce-used", "nonce-stale"]);
