import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readFailureRecovery, writeFailureRecovery } from "../../../src/adapters/settings/failure-recovery.ts";
import { plainLine } from "../../../src/markdown/text/plain-line.ts";
import { type Escalation, noEscalation } from "../../../src/model/escalation.ts";
import { prop } from "../../support/prop.ts";

const source = `# State of the agent
phase: EXECUTE # of four
failure_recovery:
  consecutive_same_error: 2  # Reset on new error
  iterations_without_change: 1  # Reset on file change
  last_error_hash: "d41d8cd9"  # Hash of error message
  last_file_state_hash: 0012345  # Hash of changed files
  pivot_count: 3
  research_count: 1
  research_findings:
    # read first
    - "react-hook-form already in use" # in UserForm
    - "Zod validation patterns exist"
  current_strategy: "Adopt existing react-hook-form + Zod pattern"
  last_error: Too many re-renders with useState
  max_pivot_attempts: 4  # default 3
  max_total_attempts: 12
  confidence: low # unknown here
# the end
`;

const climbed: Escalation = {
  ...noEscalation,
  level: "research",
  pivots: 3,
  researches: 1,
  failures: 6,
  sameErrors: 2,
  unchanged: 1,
  lastFingerprint: "d41d8cd9",
  lastError: "Too many re-renders with useState",
  fileStates: ["0012345"],
  approaches: [
    {
      level: "research",
      task: "",
      strategy: "Adopt existing react-hook-form + Zod pattern",
      error: "Too many re-renders with useState",
    },
  ],
  findings: ["react-hook-form already in use", "Zod validation patterns exist"],
};

describe("readFailureRecovery", () => {
  it("reads what the source system tracks, and its limits", () => {
    expect(readFailureRecovery(source)).toEqual({
      escalation: climbed,
      limits: { maxPivotAttempts: 4, maxTotalAttempts: 12 },
    });
  });

  it.each(["", "# nothing\n", "~", "phase: PLAN\n", "failure_recovery:\n", "failure_recovery: {}\n", "---\n..."])(
    "is no escalation for %j",
    (yaml) => {
      expect(readFailureRecovery(yaml)).toEqual({ escalation: noEscalation, limits: {} });
    },
  );

  it("treats a null value as missing", () => {
    const yaml = "failure_recovery: {pivot_count: ~, last_error:, research_findings: null, max_pivot_attempts: ~}\n";
    expect(readFailureRecovery(yaml)).toEqual({ escalation: noEscalation, limits: {} });
  });

  it.each([
    ["pivot_count: 0", "normal", 0],
    ["consecutive_same_error: 2", "normal", 2],
    ["{pivot_count: 2, consecutive_same_error: 1}", "pivot", 3],
    ["{pivot_count: 3, research_count: 1}", "research", 4],
    ["research_count: 1", "research", 1],
  ])("derives level and failures of %s", (recovery, level, failures) => {
    const nested = recovery.startsWith("{") ? ` ${recovery}` : `\n  ${recovery}`;
    expect(readFailureRecovery(`failure_recovery:${nested}\n`).escalation).toMatchObject({ level, failures });
  });

  it("keeps plain lines of at most 200 characters, and the last ten findings", () => {
    const findings = Array.from({ length: 12 }, (_, n) => `  - f${n}`).join("\n");
    const yaml = `failure_recovery:\n  last_error: "a\\u001b[31m\\n\\tb${"c".repeat(300)}"\n  research_findings:\n${findings}\n`;
    const { escalation } = readFailureRecovery(yaml);
    expect(escalation.lastError).toBe(`a b${"c".repeat(197)}`);
    expect(escalation.findings).toEqual(Array.from({ length: 10 }, (_, n) => `f${n + 2}`));
  });

  it("follows aliases", () => {
    const yaml = "start: &s {pivot_count: 2, last_error: &e x, current_strategy: *e}\nfailure_recovery: *s\n";
    expect(readFailureRecovery(yaml).escalation).toMatchObject({ pivots: 2, approaches: [{ strategy: "x" }] });
  });
});

const bomb = [
  "a: &a [x, x]",
  ...["b", "c", "d", "e"].map((name, n) => `${name}: &${name} [${`*${"abcd"[n]}, `.repeat(9)}]`),
];

describe.each([
  ["readFailureRecovery", readFailureRecovery],
  ["writeFailureRecovery", (yaml: string) => writeFailureRecovery(yaml, noEscalation)],
])("%s", (_, use) => {
  it.each([
    ["a: 1\nb: [\n", "line 3"],
    ["a: 'x", "line 1"],
    ["a: 1\na: 2\n", "line 2"],
    ["a: 1\n---\nb: 2\n", "line 2"],
    ["- a\n", "`the document`, expected a map of keys and values (line 1)"],
    ["just text\n", "expected a map of keys and values (line 1)"],
    ["a: 1\nfailure_recovery: 3\n", "`failure_recovery`, expected a map of keys and values (line 2)"],
    ["failure_recovery:\n  pivot_count: -1\n", "a whole number of at least 0 (line 2)"],
    ["failure_recovery:\n\n  research_count: 1.5\n", "a whole number of at least 0 (line 3)"],
    ["failure_recovery:\n  pivot_count: '1'\n", "`failure_recovery.pivot_count`, expected a whole number"],
    ["failure_recovery:\n  pivot_count: [1]\n", "a whole number"],
    ["failure_recovery:\n  pivot_count: 1e99\n", "a whole number"],
    ["failure_recovery:\n  max_total_attempts: 0\n", "a whole number of at least 1 (line 2)"],
    ["failure_recovery:\n  last_error: {a: b}\n", "`failure_recovery.last_error`, expected a text (line 2)"],
    ["failure_recovery:\n  last_error: true\n", "a text"],
    ["failure_recovery:\n  research_findings: x\n", "a list of texts (line 2)"],
    ["failure_recovery:\n  research_findings: [a, [b]]\n", "a list of texts (line 2)"],
    ["a: *b\n", "Unresolved alias"],
    [bomb.join("\n"), "Excessive alias count"],
    ["[".repeat(2000), "less nesting"],
    ["- ".repeat(2000), "less nesting"],
    [Array.from({ length: 102 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"), "less nesting"],
    ["a: ".repeat(2000), "less nesting"],
    [`a: ${"x".repeat(40_000)}`, "at most 32768 characters"],
  ])("refuses %j", (yaml, message) => {
    expect(() => use(yaml)).toThrow(
      expect.objectContaining({ code: "yaml-malformed", blame: "input", message: expect.stringContaining(message) }),
    );
  });
});

describe("writeFailureRecovery", () => {
  it("creates a document if there is none", () => {
    expect(writeFailureRecovery("", climbed)).toBe(`failure_recovery:
  consecutive_same_error: 2
  iterations_without_change: 1
  last_error_hash: d41d8cd9
  last_file_state_hash: "0012345"
  pivot_count: 3
  research_count: 1
  current_strategy: Adopt existing react-hook-form + Zod pattern
  last_error: Too many re-renders with useState
  research_findings:
    - react-hook-form already in use
    - Zod validation patterns exist
`);
  });

  it("changes only the tracked keys", () => {
    const after: Escalation = { ...climbed, researches: 2, findings: ["Zod validation patterns exist", "x: y #z"] };
    expect(writeFailureRecovery(source, after)).toBe(`# State of the agent
phase: EXECUTE # of four
failure_recovery:
  consecutive_same_error: 2 # Reset on new error
  iterations_without_change: 1 # Reset on file change
  last_error_hash: "d41d8cd9" # Hash of error message
  last_file_state_hash: "0012345" # Hash of changed files
  pivot_count: 3
  research_count: 2
  research_findings:
    # read first
    - "Zod validation patterns exist"
    - "x: y #z"
    # in UserForm
  current_strategy: "Adopt existing react-hook-form + Zod pattern"
  last_error: Too many re-renders with useState
  max_pivot_attempts: 4 # default 3
  max_total_attempts: 12
  confidence: low # unknown here

# the end
`);
  });

  it.each([
    ["# only\n", ["only"]],
    ["~ # c1\n", ["c1"]],
    ["failure_recovery: ~ # c1\nother: 1 # c2\n", ["c1", "c2"]],
    ["failure_recovery:\n  # c1\nother: 1\n", ["c1"]],
    ["failure_recovery: # c1\n  # c2\n  pivot_count: # c3\n    1\n", ["c1", "c2", "c3"]],
    ["failure_recovery:\n  last_error: | # c1\n    a\n    b\n  # c2\n", ["c1", "c2"]],
    ["failure_recovery:\n  research_findings:\n    # c1\n    - a # c2\n    # c3\n", ["c1", "c2", "c3"]],
    ["failure_recovery: {pivot_count: 1, # c1\n  research_findings: [a, # c2\n b]} # c3\n", ["c1", "c2", "c3"]],
    ["failure_recovery:\n  research_findings: ~ # c1\n", ["c1"]],
    ["%YAML 1.2\n# c1\n---\n# c2\na: 1\n...\n# c3\n", ["c1", "c2", "c3"]],
  ])("keeps the comments of %j", (yaml, comments) => {
    for (const escalation of [noEscalation, climbed]) {
      const once = writeFailureRecovery(yaml, escalation);
      for (const comment of comments) expect(once).toContain(`# ${comment}`);
      const twice = writeFailureRecovery(writeFailureRecovery(once, noEscalation), climbed);
      for (const comment of comments) expect(twice).toContain(`# ${comment}`);
    }
  });

  it("quotes lines of a text, also in brackets", () => {
    const lastError = "FAILED_TASK:\nnone";
    const written = writeFailureRecovery("failure_recovery: {last_error: old}\n", { ...noEscalation, lastError });
    expect(parse(written)).toMatchObject({ failure_recovery: { last_error: lastError } });
  });

  it("does not change long lines and Windows line endings", () => {
    const long = `a: ${"word ".repeat(50)}end\n`;
    expect(writeFailureRecovery(long, noEscalation)).toContain(long);
    const written = writeFailureRecovery("a: 1\r\n# c\r\nb: 2\r\n", noEscalation);
    expect(written).toContain("a: 1\r\n# c\r\nb: 2\r\nfailure_recovery:\r\n");
    expect(written.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it.each([
    "a: &x {pivot_count: 1}\nfailure_recovery: *x\n",
    "failure_recovery: &x {pivot_count: 1}\na: *x\n",
    "failure_recovery: {last_error: &x e}\na: *x\n",
    "a: &x 1\nfailure_recovery: {pivot_count: *x}\n",
  ])("does not change values shared with other places: %j", (yaml) => {
    expect(() => writeFailureRecovery(yaml, climbed)).toThrow(expect.objectContaining({ code: "yaml-malformed" }));
  });
});

const counts = fc.nat({ max: 50 });
const lines = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom("~", "true", "0x1f", "a: b", "- a", "#", "1e3", "|"),
  )
  .map((text) => plainLine(text, 200));
const said = lines.filter((text) => text !== "");
const escalations: fc.Arbitrary<Escalation> = fc
  .record({
    pivots: counts,
    researches: counts,
    sameErrors: counts,
    unchanged: counts,
    lastFingerprint: fc.option(said),
    lastError: fc.option(said),
    fileStates: fc.array(said, { maxLength: 3 }),
    strategies: fc.array(fc.option(said), { maxLength: 3 }),
    findings: fc.uniqueArray(said, { maxLength: 10 }),
  })
  .map(({ strategies, ...tracked }) => ({
    ...noEscalation,
    ...tracked,
    approaches: strategies.map((strategy) => ({ level: "pivot" as const, task: "1.1", strategy, error: "e" })),
  }));

const textStyles = [
  "plain text",
  '"quoted \\u00e4"',
  "'it''s'",
  "|\n    a\n\n    b",
  ">-\n    folded\n    text",
  "~",
  "12",
  "",
];
const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  pivot_count: fc.constantFrom("0", "3", "0x10", "7.0", "~", ""),
  iterations_without_change: fc.constantFrom("1", "!!int 4"),
  last_error: fc.constantFrom(...textStyles),
  current_strategy: fc.constantFrom(...textStyles),
  research_findings: fc.constantFrom("[]", "[a, 'b']", "\n    - a\n    - b", "\n  - a", "~"),
  max_pivot_attempts: fc.constantFrom("5"),
  theirs: fc.constantFrom("1", "[1, {a: b}]", "|\n    text\n", "{x: ~}", "2024-01-15T10:30:00Z"),
};
const files = fc
  .record({
    keys: fc.shuffledSubarray(Object.keys(values)),
    texts: fc.record(values),
    before: fc.constantFrom("", "phase: x\n", "# top\n\nlist:\n- a\n- b: c\n"),
    after: fc.constantFrom("", "later: [1, 2]\n", "# end\n"),
  })
  .map(({ keys, texts, before, after }) => {
    const entries = keys.map((key) => `  # about ${key}\n  ${key}: ${texts[key]}\n`).join("");
    return `${before}failure_recovery:\n${entries}${after}`;
  });

const trackedOf = (escalation: Escalation) => ({
  pivots: escalation.pivots,
  researches: escalation.researches,
  sameErrors: escalation.sameErrors,
  unchanged: escalation.unchanged,
  lastFingerprint: escalation.lastFingerprint,
  lastError: escalation.lastError,
  fileState: escalation.fileStates.at(-1) ?? null,
  strategy: escalation.approaches.at(-1)?.strategy ?? null,
  findings: escalation.findings,
});
const ours = new Set(Object.keys(parse(writeFailureRecovery("", noEscalation)).failure_recovery));
const without = (yaml: string) => {
  const { failure_recovery, ...rest } = parse(yaml);
  return [rest, Object.entries(failure_recovery ?? {}).filter(([key]) => !ours.has(key))];
};

describe("writeFailureRecovery, for every file and escalation", () => {
  prop("reads back what was written", [files, escalations], (yaml, escalation) => {
    const written = writeFailureRecovery(yaml, escalation);
    expect(trackedOf(readFailureRecovery(written).escalation)).toEqual(trackedOf(escalation));
  });

  prop("keeps each unknown key and each limit", [files, escalations], (yaml, escalation) => {
    const written = writeFailureRecovery(yaml, escalation);
    expect(without(written)).toEqual(without(yaml));
    expect(readFailureRecovery(written).limits).toEqual(readFailureRecovery(yaml).limits);
  });

  prop("keeps each comment", [files, escalations], (yaml, escalation) => {
    const written = writeFailureRecovery(yaml, escalation);
    const commentsIn = (text: string) =>
      [...text.matchAll(/# (?:about \w+|top|end)$/gm)].map(([found]) => found.trim());
    expect(commentsIn(written).sort()).toEqual(commentsIn(yaml).sort());
  });

  prop("changes nothing when it is repeated", [files, escalations], (yaml, escalation) => {
    const written = writeFailureRecovery(yaml, escalation);
    expect(writeFailureRecovery(written, escalation)).toBe(written);
  });
});

describe("readFailureRecovery, for every text", () => {
  prop("reads it or reports that it is malformed", [fc.oneof(fc.string(), files)], (yaml) => {
    try {
      readFailureRecovery(yaml);
    } catch (error) {
      expect(error).toMatchObject({ code: "yaml-malformed" });
    }
  });
});
