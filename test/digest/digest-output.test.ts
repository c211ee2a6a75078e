import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { maxFindings } from "../../src/digest/reader.ts";
import { nameLines } from "../../src/digest/unknown-tool.ts";
import { OutputDigest } from "../../src/model/failure-set.ts";
import { readFixtures } from "../support/output-fixtures.ts";
import { someCases } from "../support/some-cases.ts";

const fixtures = readFixtures();
const textOf = (name: string): string => fixtures.find((fixture) => fixture.name === name)?.text ?? "";
const namesOf = (text: string): string[] =>
  digestOutput(text, { folder: "/project" }).failures.map(({ tool, id }) => `${tool}: ${id}`);
const linesOf = (text: string): ReturnType<ReturnType<typeof nameLines>["end"]> => {
  const lines = nameLines();
  lines.write(text);
  return lines.end();
};

describe("the failures in an output", () => {
  it.each([7, 100, 4096])("are the same in chunks of %i characters as for the whole", (size) => {
    for (const { text } of someCases(fixtures, 4, size % 4)) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(digestOutput(pieces)).toEqual(digestOutput(text));
    }
  });

  it("match the schema for every recorded output", () => {
    for (const { text } of fixtures) {
      expect(OutputDigest.safeParse(digestOutput(text)).error).toBeUndefined();
    }
  });

  it("are a count if only a line with counts is recognized", () => {
    expect(digestOutput("checking\nexample: 3 failed, 4 passed\nbye\n")).toMatchObject({
      source: "count",
      failures: [{ tool: "output", id: "bye", message: "bye" }],
      failed: 3,
      ran: 7,
    });
  });

  it("are the last line if nothing is recognized or counted", () => {
    const { source, failures, failed } = digestOutput("one\nit went wrong\n\n");
    expect({ source, failed, messages: failures.map(({ message }) => message) }).toEqual({
      source: "last-line",
      failed: null,
      messages: ["it went wrong"],
    });
  });

  it("are empty without output", () => {
    expect(digestOutput("")).toMatchObject({ source: "nothing", failures: [], head: "", tail: "" });
  });

  it("are lines that an earlier run did not print if nothing is recognized", () => {
    const before = { passed: true, lines: linesOf("starts\nworks at 10:00:01\n") };
    const { source, failures } = digestOutput("starts\nworks at 10:00:07\nbroke\n", { before });
    expect({ source, ids: failures.map(({ id }) => id) }).toEqual({ source: "passing-run", ids: ["broke"] });
  });

  it("are the sum of two tools", () => {
    const text = `${textOf("tsc-plain")}${textOf("vitest-default")}`;
    const digest = digestOutput(text, { folder: "/project" });
    expect(new Set(digest.failures.map(({ tool }) => tool))).toEqual(new Set(["tsc", "vitest"]));
    expect(digest.failed).toBe(5 + 3);
    expect(digest.ran).toBeNull();
  });

  it("count once a failure that is printed for people and for programs", () => {
    const { failures, failed } = digestOutput(textOf("jest-json"), { folder: "/project" });
    expect(failures).toHaveLength(3);
    expect(failed).toBe(3);
  });

  it("keep the text of another tool if a report belongs to one tool", () => {
    const names = namesOf(`${textOf("jest-json-silent")}${textOf("mocha-spec")}`);
    expect(names.filter((name) => name.startsWith("mocha: "))).toHaveLength(3);
    expect(names.filter((name) => name.startsWith("jest: "))).toHaveLength(3);
  });

  it("are those of a wrapper only if there are no others", () => {
    const wrapped = textOf("npm-workspaces");
    expect(namesOf(wrapped)).toEqual(["npm: a: test"]);
    expect(namesOf(`${textOf("eslint-stylish")}${wrapped}`).filter((name) => name.startsWith("npm: "))).toEqual([]);
    expect(digestOutput(`sum: 2 failed\n${wrapped}`)).toMatchObject({ source: "count", failed: 2 });
  });

  it("have paths relative to the folder of the command", () => {
    const [absolute] = digestOutput(textOf("eslint-stylish")).failures;
    const [told] = digestOutput(textOf("eslint-stylish"), { folder: "/project/" }).failures;
    expect(absolute).toMatchObject({
      id: "/project/src/a.js: no-undef 'missing' is not defined",
      file: "/project/src/a.js",
    });
    expect(told).toMatchObject({ id: "src/a.js: no-undef 'missing' is not defined", file: "src/a.js" });
  });

  it("have no name from a last line without an ending", () => {
    const whole = "src/a.ts(1,2): error TS2304: Cannot find name 'first'.\nsrc/a.ts(2,2): error TS2304: Cannot find na";
    expect(namesOf(whole)).toEqual(["tsc: src/a.ts: TS2304 Cannot find name 'first'."]);
  });

  it("are read from reports of one line longer than the limit for others", () => {
    const cases = Array.from({ length: 2000 }, (_, at) => `<testcase classname="c" name="filler ${at}"/>`).join("");
    const xml = `<?xml version="1.0"?><testsuites>${cases}<testcase classname="c" name="lost"><failure/></testcase></testsuites>`;
    const value = {
      numFailedTestSuites: 1,
      numFailedTests: 1,
      numPassedTests: 0,
      filler: "x".repeat(100_000),
      testResults: [{ name: "a.js", assertionResults: [{ status: "failed", title: "lost", ancestorTitles: [] }] }],
    };
    for (const size of [1000, 1_000_000]) {
      const inPieces = (text: string): string[] =>
        Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
      expect(digestOutput(inPieces(xml))).toMatchObject({ failures: [{ id: "c > lost" }], ran: 2001 });
      const json = inPieces(`${JSON.stringify(value)}\n`);
      expect(digestOutput(json)).toMatchObject({ failures: [{ id: "a.js > lost" }], failed: 1 });
    }
  });

  it("are limited in number, and the rest is counted", () => {
    const lines = Array.from({ length: 3 * maxFindings }, (_, at) => `src/${at}.ts(1,1): error TS1005: no\n`);
    const digest = digestOutput(lines);
    expect(digest.failures.length).toBeLessThanOrEqual(maxFindings);
    expect(digest.failed).toBe(3 * maxFindings);
  });

  it("keep the start and the end of a long output, and no more", () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`);
    const { head, tail } = digestOutput(lines);
    expect(head.startsWith("line 0\nline 1\n")).toBe(true);
    expect(tail.endsWith("line 49998\nline 49999")).toBe(true);
    expect(head.length + tail.length).toBeLessThan(10_000);
    const long = digestOutput("x".repeat(1_000_000));
    expect(long.head.length + long.tail.length).toBeLessThan(20_000);
  });
});

it("reads the file and line that bats prints", () => {
  const said =
    "1..2\nnot ok 1 greets\n# (from function `has' in file test/helper.bash, line 2,\n#  in test file test/greet.bats, line 9)\n#   `has Hello' failed\nok 2 ends\n";
  const { failures } = digestOutput(said, { folder: "/project" });
  expect(failures).toMatchObject([{ id: "greets", file: "test/greet.bats", line: 9 }]);
});
