import { expect, it } from "vitest";
import { untilAborted } from "../../src/effects/until-aborted.ts";

const deaf = (): Promise<never> => new Promise(() => {});

it("settles as the work does", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, async () => "done")).toBe("done");
  await expect(untilAborted(signal, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
});

it("rejects when the signal is aborted, though the work does not listen", async () => {
  const control = new AbortController();
  const settled = untilAborted(control.signal, deaf);
  control.abort(new Error("answered"));
  await expect(settled).rejects.toThrow("answered");
});

it("begins nothing when the signal is aborted already", async () => {
  let begun = false;
  const work = async (): Promise<void> => {
    begun = true;
  };
  await expect(untilAborted(AbortSignal.abort(new Error("answered")), work)).rejects.toThrow("answered");
  expect(begun).toBe(false);
});
