import type { Reply } from "../../../model/reply.ts";
import type { Executor } from "../../../ports/executor.ts";

/**
 * A function whose signal is aborted at the time limit or when the run is stopped. Nobody can end a function: one that
 * goes on all the same is let go of after the grace, and what it answers then counts for nothing. One that would begin
 * after the stop is not called.
 *
 * @param timeoutMs Until its signal is aborted.
 * @param graceMs After that, until it is let go of.
 */
export function limitExecutor(execute: Executor, timeoutMs: number, graceMs = 5000): Executor {
  return async (delegation, signal, progress) => {
    if (signal.aborted) return { text: "", ended: "signal" };
    const limit = new AbortController();
    const timers = new Set<NodeJS.Timeout>();
    let ended: "timeout" | "signal" = "timeout";
    const stopped = (): Reply => ({ text: "", ended, ...(ended === "timeout" && { limit: timeoutMs }) });
    const interrupt = (): void => {
      ended = "signal";
      limit.abort(signal.reason);
    };
    timers.add(setTimeout(() => limit.abort(), timeoutMs));
    signal.addEventListener("abort", interrupt);
    const letGo = new Promise<Reply>((resolve) => {
      limit.signal.addEventListener("abort", () => {
        timers.add(setTimeout(() => resolve(stopped()), graceMs));
      });
    });
    try {
      return await Promise.race([execute(delegation, limit.signal, progress), letGo]);
    } catch (error) {
      if (limit.signal.aborted && ended === "timeout") return stopped();
      throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", interrupt);
    }
  };
}
