import { describe, expect, it } from "vitest";
import { readTree } from "../../../src/markdown/blocks/read-tree.ts";
import { assertBlocks, commonmarkKinds, kindsOf } from "../../support/block-oracles.ts";

const leaves = [
  "",
  "a",
  "  a",
  "    a",
  "\ta",
  "# a",
  "===",
  "---",
  "```",
  "  ~~~~",
  "<div>",
  "<!-- a",
  "a -->",
  "[a]: b",
];
const items = ["- a", "-", "- - a", "-  a", "-     a", "   - a", "* a", "1. a", "2. a", "1)", "- ```"];
const quotes = ["> a", ">", ">    a", ">     a", ">- a", "> ```", "     >a"];
const lines = [...leaves, ...items, ...quotes];

const boxes = ["- [ ] a", "- [x]", "  [ ] a", "- [x]a", "- [-] 1.1 a"];
const rules = ["***", "* * *", "___", "_ a", "-- -", "   ***", "    ***", "==", "= =", "   ===", "    ===", "-a"];
const headings = ["#", "#a", "   ## a", "    # a", "###### a", "####### a"];
const fences = ["``", "``` a`b", "~~~", "    ```", "   ````", "``` a"];
const widths = ["-    a", "-      a", "   - a", "    - a", "10. a", "1234567890. a", "  > a", "\t> a", ">\ta", "-\ta"];
const html = [
  "<b",
  "</div>",
  "<?a",
  "?>",
  "<!A",
  ">",
  "<![CDATA[a",
  "]]>",
  "<pre",
  "</pre>",
  "<br/>",
  "<b c='d'>",
  "<b c=d",
];
const labels = [
  "[a]:",
  "[a",
  "a]: b",
  "[a\\]b]: c",
  "[ ]: a",
  "[a[]: b",
  "[a]: b c",
  "- [a]: b",
  "[a]: <b c>",
  "[a]: <b",
  "[a]: <b<c>",
];
const destinations = ["[a]: b\\)c", "[a]: (b)c", "[a]: b)", "[a]: (b", "[a]: <b\\>c>", "[a]: <>", "[a]: <b>c", "[a]:b"];
const titles = [
  "[a]: b 'c'",
  "[a]: b (c)",
  '[a]: b "c" d',
  "[a]: b 'c",
  "c'",
  "'c'",
  "(c)",
  "[a]: b 'c\\'d'",
  "[a]: b'c'",
  "(c(d)",
];
const definitions = [...labels, ...destinations, ...titles];
const more = [...lines, ...boxes, ...rules, ...headings, ...fences, ...widths, ...html, ...definitions];

/** After indented code, micromark misreads empty items and items whose number is not 1. */
const isMisread = (text: string): boolean => /(?:^|\n)(?: {4}|\t).*\n+(?:2\. a|1\)|-)(?:\n|$)/.test(text);

/** Interval between the tried pairs of lines. The campaign `tests` tries all pairs. */
const stride = Number(process.env["PAIR_STRIDE"] ?? 5);

describe("every document", () => {
  it("of three of these lines has the same blocks as in commonmark.js", () => {
    for (const first of lines) {
      for (const second of lines) {
        for (const third of lines) {
          const text = `${first}\n${second}\n${third}`;
          if (isMisread(text)) continue;
          const [ours, theirs] = [kindsOf(readTree(text)), commonmarkKinds(text)];
          if (JSON.stringify(ours) !== JSON.stringify(theirs))
            expect({ text, blocks: ours }).toEqual({ text, blocks: theirs });
        }
      }
    }
  });

  it.each(["", "\na"])("of two lines of a longer list has the same, before %j", (end) => {
    more.forEach((first, index) => {
      const met = more.filter((_, other) => (index + other) % stride === 0);
      for (const second of met) assertBlocks(`${first}\n${second}${end}`);
    });
  });
});
