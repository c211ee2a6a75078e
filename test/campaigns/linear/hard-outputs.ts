/** Outputs that are hard on some parser, each of so many megabytes. */
export function hardOutputs(megabytes: number): Readonly<Record<string, () => string>> {
  const repeat = (text: string): string => text.repeat(Math.ceil((megabytes * 2 ** 20) / text.length));
  return {
    "one line": () => repeat("x"),
    "one line of words": () => repeat("word and "),
    "failure headings": () => repeat("Task 1.1: it FAILED\n- Error: x\n"),
    "`Task 1.1:` on one line": () => repeat("Task 1.1: "),
    "FAILED on one line": () => `Task 1.1: ${repeat("FAILED ")}`,
    "nested fences": () => repeat("```\n~~~~\n`````\n").concat("x"),
    "growing fences": () => repeat(Array.from({ length: 400 }, (_, n) => `${"`".repeat(n + 3)}\n`).join("")),
    "carriage returns": () => repeat("a\r"),
    "line feeds": () => repeat("\n"),
    blanks: () => repeat(" "),
    tabs: () => repeat("\t \t"),
    "lines of blanks": () => repeat(`${" ".repeat(2000)}\n`),
    "`Error:` in a row": () => repeat("Error: "),
    "`- Error:` in lines": () => `Task 1.1: it FAILED\n${repeat("- Error: x\n  more\n")}`,
    "one field without an end": () => `Task 1.1: it FAILED\n- Error: x\n${repeat("  more\n")}`,
    backticks: () => repeat("`"),
    "runs of backticks": () => repeat("` `` ``` ```` "),
    "opening brackets": () => repeat("["),
    links: () => repeat("[a]("),
    boxes: () => repeat("- [ ] 1.1 One\n"),
    "boxes on one line": () => repeat("- [ ] "),
    quotes: () => repeat('"'),
    "open quotations": () => repeat(' "a'),
    "quoted lines": () => repeat("> x\n"),
    "nested quotes": () => repeat(`${">".repeat(500)}\n`),
    escapes: () => repeat("\u001b"),
    "open escapes": () => repeat("\u001b]0;"),
    colours: () => repeat("\u001b[31mred\u001b[0m"),
    digits: () => repeat("1"),
    colons: () => repeat("a:1"),
    times: () => repeat("2024-01-01T10:00:"),
    hexadecimal: () => repeat("0123456789abcdef"),
    stars: () => repeat("*a"),
    underscores: () => repeat("_"),
    phrases: () => repeat("not requires manual "),
    "numbered lines": () => repeat("1. "),
    signals: () => repeat("TASK_COMPLETE "),
    "lone surrogates": () => repeat("\ud800"),
    marks: () => repeat(noise("`~*_[]()<>#-+!|\\\n\r\t \"':;&01aA")),
  };
}

/** Characters of an alphabet in an order that looks like none. */
function noise(alphabet: string): string {
  let state = 1;
  let text = "";
  while (text.length < 65_536) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[(state >>> 16) & 0xff] ?? alphabet[(state >>> 16) % alphabet.length] ?? "";
  }
  return text;
}
