import { describe, expect, it } from "vitest";
import { limitExecutor } from "../../../../src/hosts/node/executors/resolve-executors.ts";
import type { Delegation, Executor } from "../../../../src/ports/executor.ts";

const delegation: Delegation = {
  key: "1.1#1",
  role: "executor",
  taskId: "1.1",
  attempt: 1,
  prompt: "",
  workspace: "/",
  spec: "/",
  progressFile: "/.progress.md",
};
const never = new AbortController().signal;
const heeds: Executor = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const deaf: Executor = () => new Promise(() => {});

describe("limitExecutor", () => {
  it("passes on what the function returns and throws", async () => {
    expect(await limitExecutor(async () => "TASK_COMPLETE", 1000)(delegation, never, () => {})).toBe("TASK_COMPLETE");
    const failing: Executor = () => Promise.reject(new Error("no agent"));
    await expect(limitExecutor(failing, 1000)(delegation, never, () => {})).rejects.toThrow("no agent");
  });

  it("returns a timeout if a function respects its signal, and if it does not", async () => {
    for (const execute of [heeds, deaf]) {
      expect(await limitExecutor(execute, 20, 20)(delegation, never, () => {})).toEqual({
        text: "",
        ended: "timeout",
        limit: 20,
      });
    }
  });

  it("stops waiting for an unresponsive function when the run is stopped", async () => {
    const stop = new AbortController();
    const answer = limitExecutor(deaf, 60_000, 20)(delegation, stop.signal, () => {});
    stop.abort();
    expect(await answer).toEqual({ text: "", ended: "signal" });
  });

  it("rejects with the reason if a responsive function is stopped", async () => {
    const stop = new AbortController();
    const answer = limitExecutor(heeds, 60_000)(delegation, stop.signal, () => {});
    stop.abort();
    await expect(answer).rejects.toBe(stop.signal.reason);
  });

  it("does not call the function if the run is already stopped", async () => {
    const called: Executor = () => expect.unreachable();
    const answer = limitExecutor(called, 60_000)(delegation, AbortSignal.abort(), () => {});
    expect(await answer).toEqual({ text: "", ended: "signal" });
  });
});
