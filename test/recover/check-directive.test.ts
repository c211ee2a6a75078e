import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Directive, Repair } from "../../src/model/directive.ts";
import { checkDirective, type GivenDirective, wordsOf } from "../../src/recover/check-directive.ts";
import { prop } from "../support/prop.ts";

const check = (directive: Directive, part: Partial<GivenDirective> = {}): string | null =>
  checkDirective({
    directive,
    task: { id: "1.3", title: "Add failure parser", do: undefined },
    repairs: [],
    ...part,
  });
const titled = (title: string, text?: string) => ({ task: { id: "1.3", title, do: text } });
const retry = (adjustment: string): Directive => ({ strategy: "retry", adjustment });
const decompose = (...parts: string[]): Directive => ({ strategy: "decompose", parts });
const repair = (directive: Directive, task = "1.3"): Repair => ({ task, directive });

describe("checkDirective of a decomposition", () => {
  it.each<[string, ...string[]]>([
    ["Add failure parser", "Read the failure heading", "Take the fields apart", "Fill in the fallbacks"],
    ["Add failure parser", "Add failure parser for one line", "Add failure parser for wrapped lines"],
    ["Add failure parser", "Write src/parse/parse-failure.ts", "Export it from the door"],
    ["Add failure parser", "Add failure type to the model", "Parse the heading into it"],
    ["Add login", "Add login form", "Add login route"],
    ["Add parser and printer", "Add parser", "Add printer"],
    ["Add parser, printer and linter", "Add the parser", "Add the printer", "Add the linter"],
    ["Create form with validation", "Create form", "Add validation on submit"],
    ["Create form + validation", "Create form", "Create validation"],
    ["Validate, then store uploads", "Validate uploads", "Store uploads"],
    ["Add fast & robust parser", "Add fast parser", "Make parser robust"],
    ["Support S3", "Upload to S3", "Upload from S3"],
    ["Support both modules", "Support module A", "Support module B"],
    ["Handle exits", "Handle exit code 1", "Handle exit code 2"],
    ["Fix tests", "Fix test of the parser", "Fix test of the printer"],
    ["Migrate", "Write the migration", "Run it on the copy"],
    ["", "Write the parser", "Test the parser"],
    ["解析器", "读取标题", "读取字段"],
  ])("accepts %j into parts that are more specific: %j, %j", (title, ...parts) => {
    expect(check(decompose(...parts), titled(title))).toBeNull();
  });

  it.each<[string, number, ...string[]]>([
    ["Add failure parser", 1, "Add failure parser", "Test null input of it"],
    ["Add failure parser", 2, "Read the heading", "Add failure parser"],
    ["Add failure parser", 3, "Read the heading", "Read the fields", "failure: `parser`; ADD!"],
    ["Add failure parser", 1, "Add the parser for the failure", "Read the fields"],
    ["Add failure parser", 1, "Please add the failure parser again, properly", "Read the fields"],
    ["Add failure parser", 1, "Add a parser", "Read the fields"],
    ["Add failure parser", 1, "Failure parser", "Add parser"],
    ["Add the failure parser to the model", 1, "Add model", "Add failure parser"],
    ["Implement login form validation", 1, "Implement login form", "Implement form validation"],
    ["Add parser and printer", 1, "Add printer and parser", "Test both of them"],
    ["Add parser and printer", 2, "Add parser", "Add parser, printer"],
    ["Add fast and robust parser", 1, "Add parser", "Write tests"],
    ["Add parser and printer", 1, "Parser", "Write tests"],
    ["Add parser, then printer", 1, "And then", "Add printer of plans"],
    ["解析器", 1, "解析器。", "读取字段"],
    ["", 2, "Write the parser", "…"],
  ])("refuses %j if part %i restates the task in other words", (title, number, ...parts) => {
    expect(check(decompose(...parts), titled(title))).toBe(`part ${number} is not more specific than the task`);
  });

  it("refuses a part that repeats the whole task, but accepts one of its steps", () => {
    const task = titled("Failure parser", "1. Read the heading\n2. Read the fields");
    expect(check(decompose("Read the heading", "Read the fields"), task)).toBeNull();
    const whole = decompose("1. Read the heading 2. Read the fields", "Test the fallbacks");
    expect(check(whole, task)).toBe("part 1 is not more specific than the task");
  });

  it("refuses a part without any new word", () => {
    const task = titled("Add parser, then printer", "Write both");
    expect(check(decompose("And then", "Add printer"), task)).toBe("part 1 is not more specific than the task");
  });

  it("refuses parts that say the same", () => {
    expect(check(decompose("Read the heading", "Heading: read it"))).toBe("part 2 says the same as part 1");
    expect(check(decompose("Read the fields", "Print it", "read fields"))).toBe("part 3 says the same as part 1");
  });

  it("refuses a second decomposition of a task", () => {
    const parts = decompose("Read the heading", "Read the fields");
    const repairs = [repair(decompose("a", "b")), repair(retry("x"))];
    expect(check(parts, { repairs })).toBe("task 1.3 was already decomposed");
    expect(check(parts, { repairs: [repair(decompose("a", "b"), "1.3.1"), repair(retry("x"))] })).toBeNull();
  });
});

describe("checkDirective of a retry", () => {
  it("refuses an adjustment that was already tried for the task", () => {
    const repairs = [repair(decompose("a", "b")), repair(retry("Install `zod` first."))];
    expect(check(retry("install zod, first"), { repairs })).toBe("task 1.3 was already retried with this adjustment");
  });

  it.each([
    ["another adjustment", "Install zod first", "Install yup first"],
    ["the opposite", "Use yup instead of zod", "Use zod instead of yup"],
    ["another number", "Wait for 1.5 seconds", "Wait for 2.5 seconds"],
  ])("accepts %s", (_, before, adjustment) => {
    expect(check(retry(adjustment), { repairs: [repair(retry(before))] })).toBeNull();
  });

  it("accepts an approach used for another task, or by another directive", () => {
    const repairs = [
      repair(retry("Install zod"), "1.3.1"),
      repair({ strategy: "prune", justification: "Install zod" }),
    ];
    expect(check(retry("Install zod"), { repairs })).toBeNull();
  });
});

describe("checkDirective, for every task and text", () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("Add a parser", "parser and it"));

  prop("skipping and asking are never refused", [texts, texts], (text, other) => {
    const directives: Directive[] = [
      { strategy: "prune", justification: text },
      { strategy: "escalate", tried: text, decision: other },
    ];
    for (const directive of directives) {
      expect(check(directive, { ...titled(other), repairs: [repair(directive), repair(directive)] })).toBeNull();
    }
  });

  prop("the same remedy is never repeated", [texts, texts, texts], (text, other, title) => {
    for (const directive of [retry(text), decompose(text, other)]) {
      expect(check(directive, { ...titled(title), repairs: [repair(directive)] })).not.toBeNull();
    }
  });

  prop("a task is never a part of itself", [texts, texts, texts], (title, other, text) => {
    expect(check(decompose(other, `* ${title}!`), titled(title, text))).not.toBeNull();
  });
});

describe("wordsOf", () => {
  it.each([
    ["Add the `Failure` parser, properly!", ["add", "failure", "parser"]],
    ["Don't use src/a-b.ts", ["dont", "use", "src", "b", "ts"]],
    ["Upload to S3", ["upload", "s3"]],
    ["Upload from S3 without cache", ["upload", "from", "s3", "without", "cache"]],
    ["ＡＤＤ Ünï 解析器 हिन्दी", ["add", "ünï", "解析器", "हिन्दी"]],
    ["… → 👍", []],
    ["", []],
  ])("extracts the words of %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
