import { describe, expect, it } from "vitest";
import { tokenizeScript } from "../../../src/markdown/lint/read-command-list.ts";

const word = (text: string) => ({ kind: "word", text });

describe("tokenizeScript", () => {
  it("separates words from operators", () => {
    expect(tokenizeScript("a && b <c | d # e\nf")).toEqual([
      word("a"),
      { kind: "operator", text: "&&" },
      word("b"),
      { kind: "redirection", file: "c" },
      { kind: "operator", text: "|" },
      word("d"),
      { kind: "operator", text: ";" },
      word("f"),
    ]);
  });

  it.each([
    ["a >b", "b"],
    ["a > b", "b"],
    ["a >>'b c'", "'b c'"],
    ["a 2> \\\n b", "b"],
    ["a <&3", "3"],
  ])("includes the file of a redirection: %j", (script, file) => {
    expect(tokenizeScript(script)).toEqual([word("a"), { kind: "redirection", file }]);
  });

  it.each(["a >", "a > && b", "a <(", "a > ("])("does not read a redirection to nothing: %s", (script) => {
    expect(tokenizeScript(script)).toBeNull();
  });

  it("omits redirections that cannot fail", () => {
    expect(tokenizeScript("a 2>&1 >/dev/null")).toEqual([word("a")]);
  });

  it.each(['"it\'s done"', '"f(x $HOME"', "`date +%F`", '"`date +"%F)"`"', '"$(date +"%F)")"', '$(date +"%F)")'])(
    "reads %s as one word",
    (text) => {
      expect(tokenizeScript(`echo ${text}`)).toEqual([word("echo"), word(text)]);
    },
  );

  it.each([
    ["a function", "true() (exit 1); true"],
    ["a quote with escapes", "echo $'\\')'; false # '"],
    ["a backquote that is not closed", "echo '\"' \"`'"],
    ["a comment in parentheses", "echo $(a # b)"],
    ["a here-document in parentheses", "echo $(cat <<'E')"],
    ["a pattern in parentheses", "echo $(case)"],
  ])("does not read %s", (_, script) => {
    expect(tokenizeScript(script)).toBeNull();
  });
});
