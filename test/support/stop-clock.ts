import { onTestFinished, vi } from "vitest";

/** Stops the clock until the end of the test. The result advances the clock by milliseconds. */
export function stopClock(): (ms: number) => void {
  let now = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}
