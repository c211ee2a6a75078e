import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRun } from "../../src/adapters/journal.ts";
import { sumUp, sumVersion } from "../../src/effects/sum-up.ts";
import { stableJson } from "../../src/runtime/stable-json.ts";
import { journals } from "../support/journals/alter-journal.ts";

const advice = `What records come to has changed: raise \`sumVersion\` in sum-up.ts, lest a start goes on from what an
older version has kept. When only the recorded journals were made anew, the hash is enough.`;

it("is raised when recorded journals come to something else", () => {
  const sums = readdirSync(journals).map((name) => {
    const segments = readRun(join(journals, name));
    const { seed } = segments[0]?.header ?? {};
    const summing = sumUp({ ...(seed !== undefined && { seed }) });
    for (const record of segments.flatMap(({ records }) => records)) summing.add(record);
    return stableJson(summing.sum());
  });
  const hash = createHash("sha256").update(sums.join("\n")).digest("hex").slice(0, 16);
  expect({ sumVersion, hash }, advice).toEqual({ sumVersion: 4, hash: "8f06c06251a0c3d1" });
});
