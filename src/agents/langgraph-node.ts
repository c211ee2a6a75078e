import { FixpointError } from "../model/errors.ts";

/** A run whose tasks are handed out, such as `fileRun` of `fixpoint/node` makes it. */
export interface SteppedRun<Step, Report, Reported extends { readonly next: Step }> {
  next(): Promise<Step>;
  report(nonce: string, report: Report): Promise<Reported>;
}

/** What other nodes of the graph write: the report of each task that was handed out to them. */
export interface GraphReport<Report> {
  readonly nonce: string;
  readonly report: Report;
}

/** What the node writes. `step` says which node is next: work, waiting, asked, ended. */
export interface GraphUpdate<Step, Reported> {
  readonly step: Step;
  /** What came of the reports, in their order; without those that were taken before. */
  readonly taken: readonly Reported[];
  /** Empty: all are taken. */
  readonly reports: readonly [];
}

/**
 * A node of a LangGraph graph that reports what other nodes have done, and says what is next. A graph that is resumed from
 * a checkpoint may report twice: a report that the run has taken, or goes on without, is passed over.
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
    // Asked anew: the last verdict may be older than another worker's.
    return { step: await run.next(), taken, reports: [] };
  };

const passedOver: ReadonlySet<string> = new Set(["nonce-used", "nonce-stale"]);
