import { describe, expect, it, vi } from "vitest";
import { serialWriter } from "../../../../src/hosts/node/start/serial-writer.ts";

/** A writer whose writes end when they are told to. */
function sample() {
  const begun: Ends[] = [];
  const writer = serialWriter(
    () =>
      new Promise((resolve, reject) => {
        begun.push({ resolve, reject });
      }),
  );
  return { begun, writer };
}

interface Ends {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

describe("a serial writer", () => {
  it("begins a write for all calls during another, once that has ended", async () => {
    const { begun, writer } = sample();
    const done: string[] = [];
    const first = writer.write().then(() => done.push("first"));
    const others = [writer.write(), writer.write()].map((each) => each.then(() => done.push("other")));
    await Promise.resolve();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve();
    await first;
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    expect(done).toEqual(["first"]);
    begun[1]?.resolve();
    await Promise.all(others);
    expect(begun).toHaveLength(2);
  });

  it("rejects with the error of its write, and goes on with the next", async () => {
    const { begun, writer } = sample();
    const first = writer.write();
    const second = writer.write();
    begun[0]?.reject(new Error("no space"));
    await expect(first).rejects.toThrow("no space");
    await vi.waitFor(() => expect(begun).toHaveLength(2));
    begun[1]?.resolve();
    await second;
  });

  it("writes a change within a pause, unless a write has shown it", async () => {
    vi.useFakeTimers();
    try {
      const write = vi.fn(async () => {});
      const writer = serialWriter(write, 100);
      for (const _ of [1, 2]) writer.writeSoon();
      await vi.advanceTimersByTimeAsync(100);
      expect(write).toHaveBeenCalledTimes(1);
      writer.writeSoon();
      await writer.write();
      await vi.advanceTimersByTimeAsync(1000);
      expect(write).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stops when what is under way has ended, and begins no more", async () => {
    const { begun, writer } = sample();
    const first = writer.write();
    const waiting = writer.write();
    let isStopped = false;
    const stopped = writer.stop().then(() => {
      isStopped = true;
    });
    writer.writeSoon();
    await Promise.resolve();
    expect(isStopped).toBe(false);
    begun[0]?.resolve();
    await Promise.all([first, waiting, stopped]);
    await writer.write();
    expect(begun).toHaveLength(1);
  });
});
