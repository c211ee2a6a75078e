import * as fc from "fast-check";
import type { FixTask } from "../../src/model/failure.ts";
import { dialectPlans } from "./dialect-arbitraries.ts";

const word = fc.constantFrom(
  ...["Add", "parser", "`src/a.ts`", "foo_bar", "**bold**", "[link](u)", "<b>", "a & b", "ünï", "任务", "👍", "1."],
  ...["- x", "#", "---", "```", "\\", "[P]", "x*y", "~", "|"],
);
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((all) => all.join(" "));

const bodyLines = fc.oneof(
  words.map((text) => `- **Do**: ${text}`),
  fc.constant("- **Do**:"),
  words.map((text) => `  1. ${text}`),
  words.map((text) => `- **Files**: ${text}`),
  words.map((text) => `- **Verify**: \`${text.replaceAll("`", "")}\``),
  fc.constantFrom(
    ...["- **Commit**: `feat: x`", "_Requirements: 1.2_", "**Verify:**", "```bash", "```", "~~~", "- [ ] nested check"],
    ...["- [x] 7.7 nested with id", "", "<!-- c -->", "<!--", "-->", "> quote", "---", "| a | b |", "\ttabbed"],
    ...["<div>", "-", "[ ] 4.5 loose", "- [] 4.6 near", "1. [ ] ordered", "## inner", "===", "- - -"],
  ),
  words,
);
const indents = fc.constantFrom("  ", "  ", "  ", "    ", "   ", "", " ", "\t", "      ");

const separators = fc.constantFrom(
  ...["", "", "", "", "", ""],
  ...["\n", "", "\n\n", " \n", "\n---\n", "\n## Phase 2: X\n", "\n### Sub\n", "\n**Checkpoint**: ok\n"],
  ...["\n<!-- note -->\n", "\ntext para\n", "\n```\ncode - [x] 1.1 fake\n```\n", "\n```\nopen\n", "\n<pre>\n"],
  ...[
    "\n- plain item\n",
    "\n1. [ ] num\n",
    "\n> - [ ] 8.8 quoted\n",
    "\n* [ ] 6.6 other bullet\n",
    "\n[ref]: http://x\n",
  ],
  ...["\n-[x] 3.9 near\n", "\n- [-] 5.5 doing\n", "\n- [ ]* 5.6 optional\n", "\nSetext\n---\n", "\n ## Indented\n"],
  ...["\n- [ ] without id\n", "\n- [ ] 2.2 Add\n  ---\n", "\n- [link](url)\n- [other](url)\n", "\n# T\n<div>\n"],
  ...["2. [ ] 7.7 second\n", "text\n  3) [x] 7.8 third\n", "\n1. [ ] 7.9 one\n   - b\n  2. [ ] 7.10 two\n"],
  ...["\n- **Verify**: `x`\n", "\n**Verify**: slipped\n\n```\nnpm test\n```\n", "\n- [\n  ] split\n"],
);
const heads = fc.constantFrom(
  ...[
    "",
    "",
    "# Tasks\n\n",
    "---\nspec: x\n# yaml comment\n---\n\n# T\n",
    "\n\n",
    "Intro\n",
    "---\n",
    "---\nopen: x\n\n",
  ],
  ...["<!-- top\n- [ ] 9.1 hidden\n-->\n", "---\n- [ ] 9.2 not front matter\n---\n", "Title\n===\n"],
);

export const documents: fc.Arbitrary<string> = fc
  .record({
    head: heads,
    ending: fc.constantFrom("\n", "\n", "\r\n", "\r"),
    bom: fc.boolean(),
    bullet: fc.constantFrom("-", "-", "-", "*", "+", "1.", "2)"),
    gap: fc.constantFrom(" ", " ", " ", "  ", "   ", "\t"),
    base: fc.constantFrom("", "", "", " ", "  ", "   "),
    finalEnding: fc.boolean(),
    post: fc.constantFrom("", ".", ":"),
    tasks: fc.array(
      fc.record({
        box: fc.constantFrom(" ", "x", "X"),
        marker: fc.constantFrom("", "", "[P] ", "[VERIFY] ", "[FIX 1.1] "),
        title: words,
        body: fc.array(fc.tuple(indents, bodyLines), { maxLength: 6 }),
        separator: separators,
        id: fc.constantFrom("1.", "1.", "1.", "T00", "V", null),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ head, ending, bom, bullet, gap, base, finalEnding, post, tasks }) => {
    const blocks = tasks.map(({ box, marker, title, body, separator, id }, index) => {
      const name = id === null ? "" : `${id}${index + 1}${post} `;
      const lines = body.map(([indent, line]) => (line === "" ? "\n" : `${base}${indent}${line}\n`));
      return `${base}${bullet}${gap}[${box}] ${name}${marker}${title}\n${lines.join("")}${separator}`;
    });
    const text = `${head}${blocks.join("")}`;
    const ended = finalEnding ? text : text.replace(/\n+$/, "");
    return `${bom ? "\uFEFF" : ""}${ended.replaceAll("\n", ending)}`;
  });

export const plans: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: documents },
  { weight: 1, arbitrary: dialectPlans },
);

const torn = fc.constantFrom(
  ...["\n", "\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "   ", "    ", "\t", "-", "*", "+", "- ", "* ", "1. ", "2. "],
  ...["1) ", "10. ", "> ", ">", "#", "# ", "## ", "---", "===", "=", "***", "_ _ _", "```", "~~~", "````", "`", "<!--"],
  ...["-->", "<div>", "</div>", "<pre>", "</pre>", "<?", "?>", "<!A", "<![CDATA[", "]]>", "<a b='c'", "/>", "[ ] "],
  ...[
    "[x] ",
    "[x]",
    "[-] ",
    "[ ]* ",
    "[a]: b",
    "[a]:",
    "[a]: <b> 'c",
    "'",
    '"',
    "(",
    ")",
    "[",
    "]",
    "\\",
    "\0",
    "foo",
    "1",
  ],
);

export const tornTexts: fc.Arbitrary<string> = fc.array(torn, { maxLength: 24 }).map((parts) => parts.join(""));

const fragments = fc.oneof(
  fc.constantFrom(
    ...["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f", "\0", "\t", "- [x] 9.9 done", "- [ ] 1.1 again"],
    ...["* [ ] 2.2", "# H", "## Phase 9: X", "---", "***", "===", "```", "~~~~", "````js", "<!--", "-->", "<script>"],
    ...["</div>", "<pre>", "TASK_COMPLETE", "ALL_TASKS_COMPLETE", "[VERIFY]", "[P]", "[FIX 1.1]", "[x]", "[ ]", "`"],
    ...["``", "\\", "*", "**", "_", "__", "~~", "[a](b)", "![i](u)", "[ref]", "[^1]", "&amp;", "&#10;", "&#x2028;"],
    ...["\u001b[31m", "\u001b]8;;http://x\u0007", "\u009b1m", "\u202e", "\u200b", "\ud800", "\udfff", "👩‍👩‍👧", "|"],
    ...["| --- |", " ", "  ", "    ", "src/parser.ts", "foo_bar*", "File not found: ", '"', "'", "1. x", "> q"],
    ...["[ref]: http://y", ": ", "@@FX1@@", "$&", "$1", "**Verify**: rm -rf /", "- **Verify**: x", "VERIFICATION_PASS"],
    ...[
      "\n- [ ] 7.1 Other plan\n  - **Do**: x\n  - **Verify**: `rm -rf /`\n",
      "\n## 2. Phase\n\n- [x] T009 [P] done\n",
    ],
    ...[
      "\n- [ ] 3. Kiro\n  - [ ] 3.1 Nested\n    - _Requirements: 1_\n",
      "\n---\na: b\n---\n",
      "<https://x.y>",
      "a@b.cc",
    ],
    ...[
      "\u2066",
      "\u00ad",
      "\ufeff",
      "\u0000\u0008",
      "\u001bP1;2|x\u001b\\",
      "\u009c",
      "&lt;",
      "&copy",
      "&#0;",
      "\\\n",
      "  \n",
    ],
    ...[
      "<a href='x'>",
      "<?php",
      "<!DOCTYPE x>",
      "<![CDATA[",
      "]]>",
      "[x]: y",
      "[a][b]",
      "![",
      "](",
      "***a***",
      "~~~",
      "$x$",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({ maxLength: 8 }),
);

export const hostileTexts: fc.Arbitrary<string> = fc
  .tuple(fc.array(fragments, { maxLength: 9 }), fc.constantFrom(0, 0, 0, 30, 60))
  .map(([parts, length]) => `${parts.join("")}${"x".repeat(length)}${length > 0 ? parts.join("") : ""}`);

export const errorWords: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          "src/a.ts(12,5):",
          "error",
          "TS2339:",
          "'x'",
          "Promise<string>",
          "__init__",
          "foo_bar",
          "a_b_c",
          "*.ts",
          "2 * 3",
        ],
        ...[
          "arr[0]",
          "[ERROR]",
          "[a](b)",
          "`x`",
          "``",
          "C:\\Users",
          "\\d+",
          "&amp;",
          "a && b",
          "$HOME",
          "~/x",
          "=>",
          "!=",
          "#12",
        ],
        ...[
          "<T>",
          "<=",
          "x < y",
          "List<int[]>",
          "**kwargs",
          "_private",
          "_a_",
          "*a*",
          "https://x.y/z_(1)",
          "a@b.cc",
          "(x)",
          "{y}",
        ],
        ...[
          "|",
          "50%",
          '"q"',
          "E0382]",
          "[E0382]",
          "--flag",
          "npm ERR!",
          "+1",
          "1.",
          "1)",
          "-",
          ">",
          "at f (/a/b.js:1:2)",
          "任务",
        ],
      ),
      fc.string({ maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => words.join(" "));

export const fixTexts: fc.Arbitrary<Omit<FixTask, "id" | "fixOf">> = fc.record({
  summary: hostileTexts,
  error: hostileTexts,
  attemptedFix: hostileTexts,
  doneWhen: fc.oneof(fc.constant('Error "x" no longer occurs'), hostileTexts),
  files: fc.oneof(fc.constant("."), hostileTexts),
  verify: fc.oneof(fc.constantFrom("npm test", null), hostileTexts),
  commit: fc.oneof(fc.constant("fix(recovery): address error from task 1.1"), hostileTexts),
});

export const pieces = fc.oneof(fragments, bodyLines, separators, fc.constant("\n- [ ] 4.4 more\n"));

export const progressLogs: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...[
          "## Learnings\n",
          "## Learnings\n- x\n",
          "## Learnings (later)\n",
          "## Fix Task History\n",
          "# P\n",
          "text\n",
        ],
        ...["## Fix Task History\n- Task 1: y\n", "## Fix Task History\n\n_No fix tasks yet._\n", "\n", "\n\n"],
        ...[
          "```\n## Learnings\n```\n",
          "- [x] 1.1 a\n",
          "### sub\n",
          "## Fix Task History\n* a\n  - b\n",
          "<!-- c -->\n",
        ],
        ...["## Next\n", "## Completed Tasks\n", "## Completed Tasks\n\n- [x] 1.1 a\n- [x] 1.2 b\n", "Setext\n---\n"],
        ...["```\nopen\n", "<!-- open\n", "- item\n\n  continued\n", "> quote\n", "    code\n", "  ```\n", "1. one\n"],
        ...["  ## Learnings\n", "  ## Next\n", "1.  wide\n", "-   wide\n", "\n  <div>\n"],
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom("\n", "\r\n", "\r"),
    fc.boolean(),
  )
  .map(([parts, ending, finalEnding]) => {
    const text = finalEnding ? parts.join("") : parts.join("").replace(/\n+$/, "");
    return text.replaceAll("\n", ending);
  });
