import { FixpointError } from "../model/errors.ts";

/** A run whose tasks are handed out, such as `fileRun` of `fixpoint/node` makes it. */
export interface SteppedRun<Step, Report, Reported extends { readonly next: Step }> {
  next(): Promise<Step>;
  report(nonce: string, report: Report): Promise<Reported>;
}

/** Output of other nodes of the graph: the reports of tasks that were handed out to them. */
export interface GraphReport<Report> {
  readonly nonce: string;
  readonly report: Report;
}

/** Output of the node. `step` says what to do next: work, waiting, asked, ended. */
export interface GraphUpdate<Step, Reported> {
  readonly step: Step;
  /** Results of the reports, in order, without those that were taken before. */
  readonly taken: readonly Reported[];
  /** Empty: all are taken. */
  readonly reports: readonly [];
}

/**
 * Create a node of a LangGraph graph that reports the work of other nodes and returns the next step. A graph that is
 * resumed from a checkpoint may report twice: a report that the run has taken already, or no longer waits for, is
 * skipped.
 *
 * @throws {InputError} what `report` throws, but `nonce-used` and `nonce-stale`
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
    // Ask again, since the last verdict may be older than another worker's.
    return { step: await run.next(), taken, reports: [] };
  };

const passedOver: ReadonlySet<string> = new Set(["nonce-used", "nonce-stale"]);
