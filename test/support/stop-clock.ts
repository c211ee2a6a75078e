import { onTestFinished, vi } from "vitest";

/** Stop the clock of this program until the end of the test. Answers what puts it forward, by milliseconds. */
export function stopClock(): (ms: number) => void {
  let now = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}
