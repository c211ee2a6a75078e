import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { compare } from "../../bench/check.mjs";

const root = resolve(import.meta.dirname, "../..");
const recorded = { run: { cpu: 40, kilobytes: 200, flushes: 3 } };
const verdicts = (measured: Record<string, number | null>): Record<string, string> =>
  Object.fromEntries(
    compare({ run: measured }, recorded).map(({ figure, verdict }: { figure: string; verdict: string }) => [
      figure,
      verdict,
    ]),
  );

describe("a short run of the bench compared with the record", () => {
  it("is worse if a figure exceeds its record by more than a quarter, each figure separately", () => {
    expect(verdicts({ cpu: 50, kilobytes: 251, flushes: 3 })).toEqual({
      "CPU × floor": "",
      "KB allocated a task": "worse",
      "flushes a task": "",
    });
    expect(verdicts({ cpu: 50.1, kilobytes: 250, flushes: 4 })).toEqual({
      "CPU × floor": "worse",
      "KB allocated a task": "",
      "flushes a task": "worse",
    });
  });

  it("is better if a new record would make the check preserve the gain", () => {
    expect(verdicts({ cpu: 31, kilobytes: 100, flushes: 0 })).toEqual({
      "CPU × floor": "better",
      "KB allocated a task": "better",
      "flushes a task": "better",
    });
    expect(verdicts({ cpu: 33, kilobytes: 199, flushes: 2.9 })["CPU × floor"]).toBe("");
  });

  it("ignores a figure that this machine cannot measure", () => {
    expect(verdicts({ cpu: null, kilobytes: 200, flushes: 3 })).not.toHaveProperty("CPU × floor");
  });

  it("accepts no figure without a record", () => {
    expect(() => compare({ another: { cpu: 1, kilobytes: 1, flushes: 1 } }, recorded)).toThrow("--record");
    expect(() => compare({ run: { cpu: 1, kilobytes: 1, flushes: 1 } }, { run: { cpu: 1, kilobytes: 1 } })).toThrow(
      "--record",
    );
  });
});

it("every module of the product that the bench names exists", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
  const doors = new Set(Object.keys(exports).map((door) => `doors/${door === "." ? "index" : door.slice(2)}.ts`));
  const missing = readdirSync(join(root, "bench"))
    .filter((name) => name.endsWith(".mjs"))
    .flatMap((name) => {
      const text = readFileSync(join(root, "bench", name), "utf8");
      return Array.from(text.matchAll(/"\.\.\/dist\/([\w/.-]+)\.js"|load\("([\w/.-]+)\.js"\)/g), ([, path, loaded]) =>
        path === undefined ? `src/${loaded}.ts` : `${path}.ts`,
      );
    })
    .filter((path) => !doors.has(path) && !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});
