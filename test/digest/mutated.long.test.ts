import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { toolReaders } from "../../src/digest/tool-readers.ts";
import { hashText } from "../../src/model/text.ts";
import { known, type OutputFixture, readFixtures } from "../support/output-fixtures.ts";
import { randomNumbers } from "../support/random-numbers.ts";

type Random = () => number;

const fixtures = readFixtures().filter(({ name }) => !Object.hasOwn(known, name));

const wrappers = new Set(toolReaders.flatMap(({ tool, kind }) => (kind === "wrapper" ? tool : [])));

const idsOf = (text: string, { tool }: OutputFixture): string[] => {
  const { source, failures } = digestOutput(text, { folder: "/project" });
  if (source !== "tools") return [];
  return failures
    .filter((failure) => failure.tool === tool || !wrappers.has(failure.tool))
    .map((failure) => (failure.tool === tool ? failure.id : `${failure.tool}: ${failure.id}`))
    .toSorted();
};

const noise = [
  "2026-01-01T10:00:00.000Z INFO  request 17 failed, trying again",
  '{"level":"error","msg":"1 failed","time":17}',
  "    at connect (net.js:17:5)",
  "not ok, but nobody minds",
  "Error while reading the cache: 3 errors were ignored",
  "WARN  FAIL is a word like any other",
  "[17/120] compiled src/failed/error.ts",
  "<p>an error of 17 failures</p>",
  "✖ but not of a test",
  "--- a line of hyphens",
  "{",
  "}",
  "",
  "> serve",
  "  indented: failed",
];

const pick = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)] as T;
const linesOf = (text: string): string[] => text.split("\n");

const coloured = (text: string, random: Random): string =>
  text.replace(/(?<= )(?=[A-Za-z])|(?<=[a-z])(?=\n)/g, () =>
    random() < 0.3 ? `\u001b[${Math.floor(random() * 108)}${random() < 0.5 ? ";1" : ""}m` : "",
  );
const uncounted = noise.filter((line) => !/\d (?:failed|errors|failures)/.test(line));
const noisy = (size: number, lineOf: () => string): string => {
  const lines: string[] = [];
  for (let length = 0; length < size; length += (lines.at(-1)?.length ?? 0) + 1) lines.push(lineOf());
  return `${lines.join("\n")}\n`;
};
const truncated = (text: string, random: Random): string => {
  const lines = linesOf(text);
  return `${lines.slice(0, Math.floor(random() * lines.length)).join("\n")}\n`;
};
const interleaved = (text: string, random: Random): string =>
  linesOf(text)
    .flatMap((line) => (random() < 0.05 ? [pick(noise, random), line] : [line]))
    .join("\n");
const cut = (text: string, random: Random): string => text.slice(0, Math.floor(random() * text.length));

describe("a recorded output", () => {
  describe.each(fixtures)("$name", (fixture) => {
    const random = randomNumbers(Number.parseInt(hashText(fixture.name), 16));
    const { text } = fixture;
    const expected = idsOf(text, fixture);
    const inventedIn = (changed: string): string[] => idsOf(changed, fixture).filter((id) => !expected.includes(id));

    it("gives the same names with colours", () => {
      expect(idsOf(coloured(text, random), fixture)).toEqual(expected);
    });

    it("gives the same names with the line endings of Windows", () => {
      expect(idsOf(text.replaceAll("\n", "\r\n"), fixture)).toEqual(expected);
    });

    it("gives the same names after noise", () => {
      const lines = wrappers.has(fixture.tool) ? uncounted : noise;
      expect(idsOf(noisy(40_000, () => pick(lines, random)) + text, fixture)).toEqual(expected);
    });

    it("gives no false names if it is cut off", () => {
      const invented = Array.from({ length: 4 }, () => inventedIn(truncated(text, random))).flat();
      expect(invented).toEqual([]);
    });

    it("gives no false names with noise between its lines", () => {
      const invented = Array.from({ length: 3 }, () => inventedIn(interleaved(text, random))).flat();
      expect(invented).toEqual([]);
    });

    it("gives no false names if it is cut within a line", () => {
      const invented = Array.from({ length: 4 }, () => inventedIn(cut(text, random))).flat();
      expect(invented).toEqual([]);
    });
  });
});
