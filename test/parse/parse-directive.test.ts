import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Directive, detailOf } from "../../src/model/directive.ts";
import { parseDirective } from "../../src/parse/parse-directive.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";
import { joined } from "../support/texts.ts";

const retry = (adjustment: string) => ({ kind: "directive", directive: { strategy: "retry", adjustment } });
const render = (directive: Directive): string => `${directive.strategy.toUpperCase()}: ${detailOf(directive)}`;

describe("parseDirective", () => {
  it.each<[string, Directive]>([
    ["RETRY: install zod first", { strategy: "retry", adjustment: "install zod first" }],
    ["RETRY: pipe it: a | b", { strategy: "retry", adjustment: "pipe it: a | b" }],
    ["DECOMPOSE: Read it | Print it", { strategy: "decompose", parts: ["Read it", "Print it"] }],
    ["DECOMPOSE:a|b|c", { strategy: "decompose", parts: ["a", "b", "c"] }],
    ["PRUNE: Redis | Valkey is out of scope", { strategy: "prune", justification: "Redis | Valkey is out of scope" }],
    ["ESCALATE: two ways | which one?", { strategy: "escalate", tried: "two ways", decision: "which one?" }],
    ["ESCALATE: a | b | c", { strategy: "escalate", tried: "a", decision: "b | c" }],
    ["ESCALATE: two ways", { strategy: "escalate", tried: "two ways", decision: "" }],
    ["ESCALATE: two ways | ", { strategy: "escalate", tried: "two ways", decision: "" }],
    ["ESCALATE: two ways | [what to decide]", { strategy: "escalate", tried: "two ways", decision: "" }],
  ])("reads %j", (text, directive) => {
    expect(parseDirective(text)).toEqual({ kind: "directive", directive });
    expect(Directive.parse(directive)).toEqual(directive);
  });

  it.each([
    "  RETRY: x \t",
    "**RETRY:** x",
    "**RETRY**: x",
    "  **RETRY: x**",
    "The import is missing.\n\nRETRY: x\n\nThat is all.",
    "RETRY: x\r\nand more",
    "I would not choose PRUNE: it can be done.\nRETRY: x",
    "```\nPRUNE: y\n```\n> ESCALATE: z\nRETRY: x",
    "- PRUNE: y\nprune: y\nRETRY: x",
    "RETRY: \u0007x\u0000",
  ])("finds the directive in %j", (text) => {
    expect(parseDirective(text)).toEqual(retry("x"));
  });

  it.each([
    "",
    "I would try again.",
    "retry: x",
    "Retry: x",
    "- RETRY: x",
    "`RETRY: x`",
    "> RETRY: x",
    "```\nRETRY: x\n```",
    "```\nRETRY: x",
    "My choice is RETRY: x",
    "RETRY x",
    "RETRY - x",
    "RETRYING: x",
    "**RETRY: x",
    "IGNORE: x",
    "__proto__: x",
  ])("finds no directive in %j", (text) => {
    expect(parseDirective(text)).toEqual({ kind: "malformed", reason: "no directive, such as RETRY: what to change" });
  });

  it.each<[string, string]>([
    ["RETRY: x\nPRUNE: y", "more than one directive: RETRY, PRUNE"],
    ["RETRY: x\n\n**RETRY:** x", "more than one directive: RETRY, RETRY"],
    ["RETRY: x\nESCALATE:", "more than one directive: RETRY, ESCALATE"],
    ["PRUNE: x\n".repeat(9), "more than one directive: PRUNE, PRUNE, PRUNE, PRUNE"],
    ["DECOMPOSE: a", "expected 2 or 3 parts after DECOMPOSE, got 1"],
    ["DECOMPOSE: a | b | c | d", "expected 2 or 3 parts after DECOMPOSE, got 4"],
    ["DECOMPOSE: a | b |", "text after DECOMPOSE is missing"],
    ["DECOMPOSE: a || b", "text after DECOMPOSE is missing"],
    ["DECOMPOSE: [sub-task 1] | [sub-task 2] | ...(max 3 sub-tasks)", "text after DECOMPOSE is missing"],
    ["RETRY:", "text after RETRY is missing"],
    ["RETRY:\nx", "text after RETRY is missing"],
    ["**PRUNE:** …", "text after PRUNE is missing"],
    ["RETRY: [specific adjustment to make before retrying]", "or still a placeholder"],
    ["PRUNE: <justification>", "or still a placeholder"],
    ["ESCALATE: [what was tried] | [what decision is needed]", "or still a placeholder"],
    ["ESCALATE: | which one?", "text after ESCALATE is missing"],
  ])("reports the error in %j", (text, reason) => {
    expect(parseDirective(text)).toEqual({ kind: "malformed", reason: expect.stringContaining(reason) });
  });

  it("keeps 500 characters of each text, whole ones", () => {
    const long = "😀".repeat(600);
    expect(parseDirective(`RETRY: a${long}`)).toEqual(retry(`a${"😀".repeat(499)}`));
    const parts = [`a${"😀".repeat(499)}`, `b${"😀".repeat(499)}`];
    const decomposed = { kind: "directive", directive: { strategy: "decompose", parts } };
    expect(parseDirective(`DECOMPOSE: a${long} | b${long}`)).toEqual(decomposed);
  });

  it.each([
    ["one line", "x"],
    ["labels on one line", "RETRY: "],
    ["bold labels", "**RETRY:"],
    ["stars", "*"],
    ["parts", "DECOMPOSE: a | b |"],
    ["brackets", "["],
    ["lines", "x:\n"],
    ["quoted lines", "> RETRY: x\n"],
  ])("reads a megabyte of %s in time", (_, piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(parseDirective(`${text}\nRETRY: x`).kind).toMatch(/directive|malformed/);
    expect(parseDirective(`RETRY: ${text}`).kind).toMatch(/directive|malformed/);
    expect(parseDirective(`**RETRY: ${text}`).kind).toBe("malformed");
  });
});

describe("parseDirective, for every message", () => {
  const fragments = fc.oneof(
    hostileTexts,
    fc.constantFrom(...["RETRY:", "DECOMPOSE:", "PRUNE: x", "ESCALATE:", "**", " | ", "[", "]", "\n", "> ", "~~~\n"]),
  );
  const messages = joined(fragments, 15);

  prop("I13, I19: it returns a directive within its limits, or a short reason", [messages], (text) => {
    const answer = parseDirective(text);
    if (answer.kind === "malformed") {
      expect(answer.reason).toMatch(/^[\w :,]{1,100}$/);
      return;
    }
    const { directive } = answer;
    expect(Directive.parse(directive)).toEqual(directive);
    const texts = directive.strategy === "decompose" ? directive.parts : detailOf(directive).split(" | ");
    for (const each of texts) expect(each).toMatch(/^[^\p{Cc}]{1,500}$/u);
  });

  prop("I10: a message in a fence that it cannot close directs nothing", [messages], (text) => {
    const fence = "~".repeat(text.length + 3);
    expect(parseDirective(`${fence}\n${text}\n${fence}`)).toEqual({
      kind: "malformed",
      reason: "no directive, such as RETRY: what to change",
    });
  });

  prop("I10: a quoted message directs nothing", [messages], (text) => {
    const quoted = `> ${text.replace(/\r\n|\r|\n/g, "$&> ")}`;
    expect(parseDirective(quoted)).toEqual({
      kind: "malformed",
      reason: "no directive, such as RETRY: what to change",
    });
  });

  const lines = fc.string({ unit: "binary" }).map((text) => `a ${text}`.replace(/[\p{Cc}\s|]+/gu, " ").trim());
  const directives: fc.Arbitrary<Directive> = fc.oneof(
    fc.record({ strategy: fc.constant("retry"), adjustment: lines }),
    fc.record({ strategy: fc.constant("decompose"), parts: fc.array(lines, { minLength: 2, maxLength: 3 }) }),
    fc.record({ strategy: fc.constant("prune"), justification: lines }),
    fc.record({ strategy: fc.constant("escalate"), tried: lines, decision: fc.oneof(lines, fc.constant("")) }),
  );

  prop("a written directive is read back, bold or not", [directives], (directive) => {
    const written = render(directive);
    const label = `${directive.strategy.toUpperCase()}:`;
    for (const line of [written, written.replace(label, `**${label}**`), `**${written}**`]) {
      expect(parseDirective(`Looked at it.\n\n  ${line} \r\nBye.`)).toEqual({ kind: "directive", directive });
    }
  });
});
