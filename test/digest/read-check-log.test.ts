import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { readCheckLog } from "../../src/digest/read-check-log.ts";

const folder = resolve(import.meta.dirname, "../fixtures/check-logs");
interface CheckLog {
  readonly name: string;
  readonly text: string;
  readonly tool: string;
  readonly failedStep: string;
  readonly expected: readonly string[];
}
const logs = readdirSync(folder)
  .filter((file) => file.endsWith(".txt"))
  .map((file) => {
    const name = file.slice(0, -".txt".length);
    const told = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Omit<CheckLog, "name" | "text">;
    return { ...told, name, text: readFileSync(join(folder, file), "utf8") };
  });

const failures = (text: string, step: string | null): string[] => {
  const { output, folder } = readCheckLog(text, step);
  return digestOutput(output, { folder }).failures.map(({ tool, id }) => `${tool}: ${id}`);
};
const sorted = (log: CheckLog): string[] => log.expected.map((id) => `${log.tool}: ${id}`).toSorted();

describe("a log of a CI job", () => {
  it("is available in at least 20 formats", () => {
    expect(logs.length).toBeGreaterThanOrEqual(20);
  });

  it.each(logs)("of $name contains the failures, and nothing else", (log) => {
    expect(failures(log.text, log.failedStep).toSorted()).toEqual(sorted(log));
  });

  it.each(logs)("of $name gives the same if a person has named the step, or the step is unknown", (log) => {
    expect(failures(log.text, "Unit tests").toSorted()).toEqual(sorted(log));
    expect(failures(log.text, null).toSorted()).toEqual(sorted(log));
  });

  it.each(logs)("of $name contains none of the runner's own lines", (log) => {
    const { output } = readCheckLog(log.text, log.failedStep);
    expect(output).not.toMatch(/##\[|\uFEFF|Post job|orphan|Process completed|^2026-01-15T/m);
    expect(output).not.toContain("\u001B");
  });

  it("returns the named step, although others failed too", () => {
    const log = (name: string): string => logs.find((each) => each.name === name)?.text ?? "";
    const both = `${log("tsc")}${log("pytest")}`;
    expect(failures(both, "Run tsc --pretty false")[0]).toMatch(/^tsc: /);
    expect(failures(both, "Run pytest")[0]).toMatch(/^pytest: /);
  });

  it("reports the folder of the repository", () => {
    expect(logs.find(({ name }) => name === "eslint")?.text).toContain("/home/runner/work/shop/shop/");
    expect(readCheckLog("/__w/shop/shop/a.js", null).folder).toBe("/__w/shop/shop");
    expect(readCheckLog("/home/runner/work/shop/shop-old/a.js", null).folder).toBeNull();
  });

  it("returns the last step if none has an error", () => {
    expect(readCheckLog("##[group]Run a\n##[endgroup]\none\n##[group]Run b\n##[endgroup]\ntwo", null).output).toBe(
      "two\n",
    );
  });

  it("returns any other text unchanged", () => {
    expect(readCheckLog("one\r\n\u001B[31mtwo\u001B[0m\n", null)).toEqual({ output: "one\ntwo\n", folder: null });
    expect(readCheckLog("", null).output).toBe("\n");
  });

  it("keeps the end of a very long log, from a whole line on", () => {
    const long = `${"a line of a log that has very many\n".repeat(200_000)}the end\n`;
    const { output } = readCheckLog(long, null);
    expect(output.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(output.startsWith("a line")).toBe(true);
    expect(output.endsWith("the end\n")).toBe(true);
    expect(readCheckLog("x".repeat(5 * 1024 * 1024), null).output).toHaveLength(4 * 1024 * 1024 + 1);
  });
});
