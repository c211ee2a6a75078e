/**
 * Race work with an abort signal, for work that may ignore the signal. If the signal is aborted already, the work does
 * not begin.
 *
 * @returns The result of the work; rejects with the reason of the abort if the abort comes first.
 */
export async function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
