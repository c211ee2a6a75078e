import type { Reply } from "../../../model/reply.ts";
import type { Executor } from "../../../ports/executor.ts";

/**
 * A function whose signal is aborted at the time limit or when the run is stopped. A function cannot be ended from
 * outside: one that goes on is abandoned after the grace, and its answer no longer counts. After the stop it is not
 * called at all.
 *
 * @param timeoutMs Time until its signal is aborted.
 * @param graceMs Time after that until it is abandoned.
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
