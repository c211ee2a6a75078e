import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleMeasure } from "./bundle-measure.mjs";
import { scenarios } from "./scenarios.ts";
import { isPossible, startMeasure } from "./start-measure.ts";

const floodBytes = 64 * 1024 * 1024;
let measuring: Awaited<ReturnType<typeof bundleMeasure>>;

beforeAll(async () => {
  measuring = await bundleMeasure();
});
afterAll(() => measuring.remove());

describe.concurrent("an executor that", () => {
  for (const scenario of scenarios) {
    it.skipIf(!isPossible(scenario))(scenario.name, { timeout: 60_000 }, async () => {
      expect(await startMeasure(measuring.file, scenario, floodBytes)).toMatchObject({ violations: [] });
    });
  }
});
