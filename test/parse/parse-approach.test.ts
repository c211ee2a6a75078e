import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseApproach } from "../../src/parse/parse-approach.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const none = { strategy: null, findings: [] };

describe("parseApproach", () => {
  it("reads the answer of a pivot", () => {
    const text = [
      "❌ Failed Approach: Using useState for form",
      '   Error: "Too many re-renders"',
      "",
      "Alternative Approaches:",
      "1. Use useReducer instead of useState (most promising)",
      "2. Debounce the onChange handler",
      "",
      "Trying: Approach 1 - useReducer",
    ].join("\n");
    expect(parseApproach(text)).toEqual({ strategy: "useReducer", findings: [] });
  });

  it("reads the answer of a research", () => {
    const text = [
      "1. Reading existing form implementations in codebase...",
      "   Found: src/components/UserForm.tsx uses react-hook-form",
      "",
      "2. Checking form library dependencies...",
      "   Found: react-hook-form already installed",
      "",
      "New Approach: Use react-hook-form with Zod (matches existing patterns)",
    ].join("\r\n");
    expect(parseApproach(text)).toEqual({
      strategy: "Use react-hook-form with Zod (matches existing patterns)",
      findings: ["src/components/UserForm.tsx uses react-hook-form", "react-hook-form already installed"],
    });
  });

  it.each([
    "Trying: x",
    "  - Trying: x",
    "2. trying: x",
    "**Trying:** x",
    "* **Trying**: x",
    "**New approach: x**",
    "NEW APPROACH: x",
    "Trying: approach 12 – x",
    "Trying: Approach 2: x",
    "Trying: y\nNew Approach: z\nTrying: x",
    "Trying: x\nTrying: [the approach]\nTrying:\nTrying: Approach 1 - ",
  ])("finds the strategy in %j", (text) => {
    expect(parseApproach(text)).toEqual({ strategy: "x", findings: [] });
  });

  it.each(["Found: x", "- found: x", "1) **Found:** x", "Found: x\nFound:  x", "Found: […]\nFound: x\nFound: …"])(
    "finds one finding in %j",
    (text) => {
      expect(parseApproach(text)).toEqual({ strategy: null, findings: ["x"] });
    },
  );

  it.each([
    "",
    "TASK_COMPLETE",
    "I am trying: x",
    "Trying x",
    "Tried: x",
    "Approach: x",
    "`Trying: x`",
    "> Trying: x",
    "> Found: x",
    "```\nTrying: x\nFound: x\n```",
    "Found: [what you found]",
    "Trying: <approach>",
  ])("finds nothing in %j", (text) => {
    expect(parseApproach(text)).toEqual(none);
  });

  it("keeps a strategy that is only the number of an approach", () => {
    expect(parseApproach("Trying: Approach 2").strategy).toBe("Approach 2");
  });

  it("keeps the first 10 findings", () => {
    const found = Array.from({ length: 12 }, (_, at) => `file ${at}`);
    const text = found.map((each) => `Found: ${each}\nFound: file 0`).join("\n");
    expect(parseApproach(text).findings).toEqual(found.slice(0, 10));
  });

  it("keeps 200 characters of each text, whole ones", () => {
    const long = `a${"😀".repeat(300)}`;
    const kept = `a${"😀".repeat(199)}`;
    expect(parseApproach(`Trying: ${long}\nFound: ${long}`)).toEqual({ strategy: kept, findings: [kept] });
  });

  it.each([
    ["one line", "x"],
    ["labels on one line", "Trying: "],
    ["approaches on one line", "Approach 1 - "],
    ["blanks", " "],
    ["stars", "**Found:"],
    ["items", "- "],
    ["lines", "Found: x\n"],
    ["short lines", ":\n"],
  ])("reads a megabyte of %s in time", (_, piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(parseApproach(`${text}\nTrying: x`).strategy).toBe("x");
    expect(parseApproach(`Trying: ${text}\nTrying: x`).strategy).toBe("x");
  });
});

describe("parseApproach, for every message", () => {
  const fragments = fc.oneof(
    hostileTexts,
    fc.constantFrom(
      ...["Trying:", "Found: ", "New Approach: ", "Approach 1 - ", "**", "[", "]", "\n", "- ", "> ", "~~~\n"],
    ),
  );
  const messages = joined(fragments, 15);
  const line = /^[^\p{Cc}]{1,200}$/u;

  prop("I13, I19: it returns few and short lines", [messages], (text) => {
    const { strategy, findings } = parseApproach(text);
    for (const each of [...findings, strategy ?? "none"]) expect(each).toMatch(line);
    expect(findings.length).toBeLessThanOrEqual(10);
    expect(new Set(findings).size).toBe(findings.length);
  });

  prop("a message in a fence that it cannot close names nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(parseApproach(`${fence}\n${text}\n${fence}`)).toEqual(none);
  });
});
