import { describe, expect, it } from "vitest";
import { wordsOf } from "../../src/recover/words-of.ts";

describe("wordsOf", () => {
  it.each([
    ["Add the `Failure` parser, properly!", ["add", "failure", "parser"]],
    ["Don't use src/a-b.ts", ["dont", "use", "src", "b", "ts"]],
    ["Upload to S3", ["upload", "s3"]],
    ["Upload from S3 without cache", ["upload", "from", "s3", "without", "cache"]],
    ["ＡＤＤ Ünï 解析器 हिन्दी", ["add", "ünï", "解析器", "हिन्दी"]],
    ["… → 👍", []],
    ["", []],
  ])("takes the words out of %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
