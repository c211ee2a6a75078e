import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleMeasure } from "./bundle-measure.mjs";
import { scenarios } from "./scenarios.ts";

const floodBytes = 64 * 1024 * 1024;
let measuring: Awaited<ReturnType<typeof bundleMeasure>>;

beforeAll(async () => {
  measuring = await bundleMeasure();
});
afterAll(() => measuring.remove());

/** As another user, for whom limits hold, but with the right to read what this one may. */
const asNobody = ["--reuid=65534", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
const becomesNobody = spawnSync("setpriv", [...asNobody, "prlimit", "--version"]).status === 0;

async function measure(name: string, crowded: boolean): Promise<unknown> {
  const words = [process.execPath, measuring.file, name, String(floodBytes)];
  const [file = "", ...args] = crowded ? ["setpriv", ...asNobody, ...words] : words;
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(err).toBe("");
  return JSON.parse(out);
}

describe.concurrent("an executor that", () => {
  for (const { name, crowded = false, program } of scenarios) {
    const impossible = (crowded && !becomesNobody) || (program !== undefined && spawnSync(program).status !== 0);
    it.skipIf(impossible)(name, { timeout: 60_000 }, async () => {
      expect(await measure(name, crowded)).toMatchObject({ violations: [] });
    });
  }
});
