import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFile } from "../support/bundle-file.mjs";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { isPossible, startMeasure } from "./start-measure.ts";

const root = resolve(import.meta.dirname, "../..");
const floodBytes = 64 * 1024 * 1024;
const escapes = ({ expected: { escaped = 0 } }: Scenario): number => escaped;
let measuring: Awaited<ReturnType<typeof bundleFile>>;

beforeAll(async () => {
  measuring = await bundleFile(root, "test/faults/measure.ts");
});
afterAll(() => measuring.remove());

describe.concurrent("an executor that", () => {
  for (const scenario of scenarios.toSorted((one, other) => escapes(other) - escapes(one))) {
    it.skipIf(!isPossible(scenario))(scenario.name, async () => {
      expect(await startMeasure(measuring.file, scenario, floodBytes)).toMatchObject({ violations: [] });
    });
  }
});
