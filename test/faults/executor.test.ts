import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleMeasure } from "./bundle-measure.mjs";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { isPossible, startMeasure } from "./start-measure.ts";

const floodBytes = 64 * 1024 * 1024;
const escapes = ({ expected: { escaped = 0 } }: Scenario): number => escaped;
let measuring: Awaited<ReturnType<typeof bundleMeasure>>;

beforeAll(async () => {
  measuring = await bundleMeasure();
});
afterAll(() => measuring.remove());

describe.concurrent("an executor that", () => {
  // What is looked for to the last takes longest.
  for (const scenario of scenarios.toSorted((one, other) => escapes(other) - escapes(one))) {
    it.skipIf(!isPossible(scenario))(scenario.name, async () => {
      expect(await startMeasure(measuring.file, scenario, floodBytes)).toMatchObject({ violations: [] });
    });
  }
});
