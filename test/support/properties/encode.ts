import assert from "node:assert/strict";
import * as fc from "fast-check";
import { encodeText } from "../../../src/markdown/text/encode-text.ts";
import { plainLine } from "../../../src/markdown/text/plain-line.ts";
import { seenElsewhere, showsAs } from "../commonmark-oracle.ts";
import { errorWords, hostileTexts } from "../markdown-arbitraries.ts";
import { property } from "./property.ts";

const places = fc.constantFrom<readonly [before: string, after: string, length: number]>(
  ["x Fix: ", "", 50],
  ["x Address the error: ", "", 500],
  ['x Error "', '" no longer occurs', 500],
  ["x ", "", 500],
);

const machineWords =
  /\[(?:[ xX~-]|P|VERIFY|RED|GREEN|YELLOW|FIX [^\]\\]*)\]|(?:ALL_TASKS|TASK)_COMPLETE|VERIFICATION_(?:PASS|FAIL)|<!--/;

export const encodeProperties = [
  property(
    "I13: an encoded text shows as its plain line elsewhere",
    1_000_000,
    fc.tuple(hostileTexts, places),
    ([text, place]) => {
      const [before, after, length] = place;
      const line = plainLine(text, length);
      const encoded = encodeText(line, before, after);
      const seen = seenElsewhere(`${before}${encoded}${after}`);
      const source = `${before}${line}${after}`.trimEnd();
      if (seen === null || !showsAs(seen, source)) assert.equal(seen, source);
      assert.doesNotMatch(encoded, machineWords);
      return line === "" ? "empty" : undefined;
    },
    [["<!@0> q", ["x Fix: ", "", 50]]],
  ),

  property("ordinary words stay as they are unless they show otherwise elsewhere", 200_000, errorWords, (text) => {
    const line = plainLine(text, 500);
    const before = "x Address the error: ";
    const encoded = encodeText(line, before);
    const seen = seenElsewhere(`${before}${line}`);
    const staysReadable = seen !== null && showsAs(seen, `${before}${line}`.trimEnd());
    if (!staysReadable || machineWords.test(line)) return "shows otherwise";
    assert.equal(encoded, line);
    return undefined;
  }),
];
