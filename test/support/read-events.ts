import { followEvents } from "../../src/adapters/presets/output/follow-events.ts";
import type { StreamEvent } from "../../src/adapters/presets/output/stream-event.ts";

export async function readEvents(file: number, see: (event: StreamEvent) => void): Promise<boolean> {
  const reader = followEvents(file, see);
  await reader.readOn(() => false);
  return reader.end();
}
