import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { linearParsers } from "../support/linear-parsers.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const outputs = fc
  .tuple(fc.array(hostileTexts, { maxLength: 5 }), fc.constantFrom("", "\n", "\nTask 1.1: it FAILED\n- Error: "))
  .map(([texts, separator]) => texts.join(separator).repeat(3));

describe.each(Object.entries(linearParsers))("%s, for every output of an executor", (_, parse) => {
  prop("I19: returns the same result each time", [outputs], (output) => {
    expect(parse(output)).toEqual(parse(output));
  });
});
