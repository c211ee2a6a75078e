import * as fc from "fast-check";

interface PropertyRun {
  readonly numRuns: number;
  readonly seed?: number;
  readonly path?: string;
}

export interface Property {
  readonly name: string;
  readonly runs: number;
  /** Returns the message of fast-check after a failure, otherwise null. */
  readonly run: (run: PropertyRun) => string | null;
  /** Number of cases by outcome: `held`, or the reason why nothing was asserted. */
  readonly tally: ReadonlyMap<string, number>;
}

/**
 * @param runs Number of cases in the campaign. Tests try a thousandth, within bounds.
 * @param predicate Throws on failure. Returns the reason if nothing was asserted.
 * @param examples Earlier counterexamples.
 */
export function property<Value>(
  name: string,
  runs: number,
  arbitrary: fc.Arbitrary<Value>,
  predicate: (value: Value) => string | undefined,
  examples: readonly NoInfer<Value>[] = [],
): Property {
  const tally = new Map<string, number>();
  const counted = fc.property(arbitrary, (value) => {
    const outcome = predicate(value) ?? "held";
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  });
  const pinned = examples.map((example): [Value] => [example]);
  return {
    name,
    runs,
    tally,
    run: (run) => {
      const details = fc.check(counted, { ...run, examples: pinned });
      if (!details.failed) return null;
      const { errorInstance: error } = details;
      return `${fc.defaultReportMessage(details)}\n${error instanceof Error ? error.stack : error}`;
    },
  };
}
