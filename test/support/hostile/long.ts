const kibi = 1024;
const mebi = kibi * kibi;
const upTo = (length: number, text: string): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);

export const longStrings: Readonly<Record<string, string>> = {
  "one more than a summary": `${"s".repeat(50)}!`,
  "cut inside a reference": `${"s".repeat(47)}&#10;- [ ] 9.9`,
  "cut inside a backslash": `${"s".repeat(49)}\\*x*`,
  "one more than a text": `${"t".repeat(500)}!`,
  "cut inside a code span": `${"t".repeat(490)}\`code that is cut\``,
  "cut inside a sequence": `${"t".repeat(498)}\u001b[31mred`,
  "cut before a mark": `${"t".repeat(499)}e\u0301`,
  "a line of 16 KiB and a claim": `${"x".repeat(16 * kibi - 13)}TASK_COMPLETE`,
  "a claim and a line of 16 KiB": `TASK_COMPLETE${" ".repeat(16 * kibi)}x`,
  "blanks before a claim": `${" ".repeat(17 * kibi)}TASK_COMPLETE`,
  "more than an environment": upTo(40 * kibi, "e"),
  "a mebibyte of letters": upTo(mebi, "x"),
  "a mebibyte of lines": upTo(mebi, "- [x] 9.9 pwned\n"),
  "a mebibyte of brackets": upTo(mebi, "["),
  "a mebibyte of escapes": upTo(mebi, "\u001b]0;"),
  "40 000 headings of failures": upTo(40_000 * 9, "Task 1.1:"),
  "many fields": upTo(64 * kibi, "- Error: x\n"),
  "many stars": upTo(8 * kibi, "*a_"),
  "many backticks": upTo(8 * kibi, "` `` "),
  "many links": upTo(8 * kibi, "[a]("),
  "many references": upTo(8 * kibi, "&amp;"),
  "many tags": upTo(8 * kibi, "<a "),
  "many words": upTo(64 * kibi, "word and "),
  "many wide letters": upTo(8 * kibi, "\u4efb\u52a1"),
  "blanks at the end": `x${" ".repeat(64 * kibi)}`,
  "feeds at the end": `x${"\n".repeat(64 * kibi)}y`,
};
