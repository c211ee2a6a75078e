import * as fc from "fast-check";

const title = fc
  .array(
    fc.constantFrom(
      ...["Add", "parser", "`src/a.ts`", "foo_bar", "**bold**", "[link](u)", "a & b", "ünï", "任务", "👍", "(done)"],
      ...["in `- [ ] 9.9`", "<Widget>", "x*y", "~30 %", "|", "C:\\dir", "for T001", "#12"],
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(" "));

const box = fc.constantFrom(" ", " ", "x", "X");

const ralphBody = fc
  .array(
    fc.constantFrom(
      ...[
        "  - **Do**:\n    1. Create it\n    2. Register it",
        "  - **Do**: Add it",
        "  - **Files**: src/a.ts, `src/b.ts`",
      ],
      ...[
        "  - **Done when**: It works",
        "  - **Verify**: `npm test`",
        "  - **Commit**: `feat: add it`",
        "  - _Requirements: FR-1_",
      ],
      ...[
        "  - **Verify**:\n    ```bash\n    set -e\n    echo '- [ ] 9.9 not a task'\n    ```",
        "  - [ ] checked by hand",
        "  - [x] ✅ seen",
      ],
      ...[
        "  - **Note**: first line\n    second line",
        "  - > quoted\n    > - [ ] 9.8 not a task",
        "  - a\n\n    b",
        "  - <b>x</b>",
      ],
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.map((line) => `\n${line}`).join(""));

const between = fc.constantFrom(
  ...["", "", "", "", "", ""],
  ...["\n", "\n", "\n\n", "\n## Phase 2: More\n\n", "\n### Sub\n\n", "\n---\n\n", "\n## Notes\n\ntext\n\n"],
  ...["\n## Table\n\n| a | b |\n| --- | --- |\n| - [ ] 9.1 | x |\n\n", "\n# Code\n\n```md\n- [ ] 9.2 fake\n```\n\n"],
  ...[
    "\n## Quote\n\n> - [ ] 9.3 quoted\n\n",
    "\n# Comment\n\n<!--\n- [ ] 9.4 hidden\n-->\n\n",
    "\n## List\n\n- plain\n- items\n\n## Next\n\n",
  ],
  ...[
    "\n# Ref\n\n[ref]: http://x 'y'\n\n",
    "\nSetext\n======\n\n",
    "\n# Tilde\n\n~~~\n## not a heading\n- [ ] 9.5 fake\n~~~\n\n",
  ],
);

const ralph = fc
  .array(fc.tuple(box, fc.constantFrom("", "[P] ", "[VERIFY] ", "[RED] "), title, ralphBody, between), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) =>
    all.map(
      ([mark, marker, words, body, gap], at) =>
        `- [${mark}] ${at % 3 === 2 ? `V${at}` : `1.${at + 1}`} ${marker}${words}${body}\n${gap}`,
    ),
  );

const specKit = fc
  .array(fc.tuple(box, fc.constantFrom("", "[P] ", "[US1] ", "[P] [US2] "), title, between), {
    minLength: 1,
    maxLength: 8,
  })
  .map((all) =>
    all.map(
      ([mark, marker, words, gap], at) => `- [${mark}] T${String(at + 1).padStart(3, "0")} ${marker}${words}\n${gap}`,
    ),
  );

const kiro = fc
  .array(fc.tuple(box, title, fc.array(fc.tuple(box, title), { maxLength: 3 }), fc.constantFrom("", "", "\n")), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) =>
    all.map(([mark, words, inner, gap], at) => {
      const subtasks = inner.map(
        ([innerMark, text], n) =>
          `${gap}  - [${innerMark}] ${at + 1}.${n + 1} ${text}\n    - Write it\n    - _Requirements: 1.${n + 1}, 2.1_\n`,
      );
      return `- [${mark}] ${at + 1}. ${words}\n${subtasks.join("")}${gap}`;
    }),
  );

const openSpec = fc
  .array(fc.tuple(title, fc.array(fc.tuple(box, title), { minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) =>
    all.map(([heading, tasks], at) => {
      const items = tasks.map(([mark, words], n) => `- [${mark}] ${at + 1}.${n + 1} ${words}\n`);
      return `## ${at + 1}. ${heading}\n\n${items.join("")}\n`;
    }),
  );

const checklist = fc
  .array(fc.tuple(box, title, ralphBody, between), { minLength: 1, maxLength: 6 })
  .map((all) => all.map(([mark, words, body, gap]) => `- [${mark}] ${words}${body}\n${gap}`));

export const dialectPlans: fc.Arbitrary<string> = fc
  .record({
    head: fc.constantFrom("", "# Tasks\n\n", "---\nspec: x\n---\n\n# Tasks\n\n", "Intro\n\n## Phase 1\n\n"),
    parts: fc.oneof(ralph, ralph, specKit, kiro, openSpec, checklist),
    bullet: fc.constantFrom("-", "-", "*", "+"),
    ending: fc.constantFrom("\n", "\n", "\r\n"),
    bom: fc.boolean(),
  })
  .map(({ head, parts, bullet, ending, bom }) => {
    const body = parts.join("").replace(/^( *)- \[/gm, `$1${bullet} [`);
    return `${bom ? "\uFEFF" : ""}${`${head}${body}`.replaceAll("\n", ending)}`;
  });
