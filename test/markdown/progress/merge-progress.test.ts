import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { readMemberLog } from "../../../src/markdown/progress/member-log.ts";
import { mergeProgress } from "../../../src/markdown/progress/merge-progress.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { documents, hostileTexts, progressLogs, tornTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const log = lines(
  "# Progress: demo",
  "",
  "## Completed Tasks",
  "- [x] 1.1 Task A - abc123",
  "",
  "## Learnings",
  "- Ports are typed",
);

describe("mergeProgress", () => {
  it("adds the learnings of a member after ours", () => {
    const member = lines("# Task 1.2", "", "## Learnings", "- Tests need `TZ`", "  - in CI too", "- Ports are typed");
    expect(mergeProgress(log, member)).toBe(`${log}- Tests need \`TZ\`\n  - in CI too\n`);
  });

  it("treats text without a heading as learnings", () => {
    expect(mergeProgress(log, "Use the lock file.\nAlways.\n")).toBe(`${log}\nUse the lock file.\nAlways.\n`);
    expect(mergeProgress(log, "# Notes\n- One\n")).toBe(`${log}- One\n`);
  });

  it("writes the section if it is missing", () => {
    expect(mergeProgress("# P\n", "- One\n")).toBe("# P\n\n## Learnings\n- One\n");
    expect(mergeProgress("", "- One")).toBe("## Learnings\n- One\n");
  });

  it("omits the lines of completed tasks and keeps others among them", () => {
    const member = lines(
      "## Completed Tasks",
      "- [x] 1.2 Task B - def456",
      "  - changed `src/b.ts`",
      "- **1.3** Task C",
      "- Task 1.4: done",
      "- [x] something",
      "- The parser is slow",
      "",
      "All done.",
    );
    expect(mergeProgress(log, member)).toBe(`${log}- The parser is slow\n\nAll done.\n`);
  });

  it("adds other sections to those of the same heading, or writes them before the learnings", () => {
    const member = lines("## decisions", "- B", "", "## Blockers", "None.", "", "## Learnings", "- L");
    const given = lines("## Decisions", "- A", "", "## Learnings", "- X");
    expect(mergeProgress(given, member)).toBe(
      lines("## Decisions", "- A", "- B", "", "## Blockers", "None.", "", "## Learnings", "- X", "- L"),
    );
  });

  it("keeps a heading within a section together with its content", () => {
    const member = lines(
      "## Learnings",
      "- A",
      "### Verification: 1.3 [VERIFY]",
      "- Status: PASS",
      "- Command: `x`",
      "",
      "#### Empty",
    );
    const merged = mergeProgress(log, member);
    expect(merged).toBe(`${log}- A\n\n### Verification: 1.3 \\[VERIFY\\]\n\n- Status: PASS\n- Command: \`x\`\n`);
    expect(mergeProgress(merged, member)).toBe(merged);
  });

  it("writes no section without content", () => {
    expect(mergeProgress(log, "")).toBe(log);
    expect(mergeProgress(log, "# Task 1.2\n\n## Blockers\n\n---\n\n## Learnings\n-\n- Ports are typed\n")).toBe(log);
  });

  it("adds nothing twice", () => {
    expect(mergeProgress("", "- a\n- a\n\n## B\n\n- a\n")).toBe("## B\n- a\n\n## Learnings\n- a\n");
    expect(mergeProgress("## C\n- a\n", "- a\n")).toBe("## C\n- a\n");
  });

  it("adds nothing twice if it appears in two sections that become learnings", () => {
    expect(mergeProgress("", "- a\n\n## Completed Tasks\n- a\n")).toBe("## Learnings\n- a\n");
  });

  it("finds duplicates in spite of blanks and deeper headings, but not across sections", () => {
    expect(mergeProgress("- a  \n", "- a\n")).toBe("- a  \n");
    expect(mergeProgress("- a\n### b\n", "- a\n  ### b\n")).toBe("- a\n### b\n");
    expect(mergeProgress("## Learnings\n- a\n## b\n- c\n", "- a\n  ## b\n")).toBe(
      "## Learnings\n- a\n- a\n  ## b\n## b\n- c\n",
    );
  });

  it("omits completed tasks with escaped marks, and keeps sentences that mention a task", () => {
    const member = lines("## Completed Tasks", "- \\[x\\] done", "- 1\\.4 Task D", "", "See 1.2 for the rest.");
    expect(mergeProgress(log, member)).toBe(`${log}\nSee 1.2 for the rest.\n`);
  });

  it("writes the learnings at the end, after a section whose heading begins alike", () => {
    expect(mergeProgress("## Learnings of 2024\n- a\n", "- b\n")).toBe(
      "## Learnings of 2024\n- a\n\n## Learnings\n- b\n",
    );
  });

  it("compares headings without case", () => {
    expect(mergeProgress("", "## Notes\n- a\n\n## notes\n- a\n- b\n")).toBe("## Notes\n- a\n- b\n");
  });

  it("omits the front matter of a member", () => {
    expect(mergeProgress(log, "---\nspec: demo\n---\n- a\n")).toBe(`${log}- a\n`);
  });

  it("keeps fences closed before an indented line", () => {
    const open = "  ```\n## Learnings";
    expect(mergeProgress(open, "```\na\n  ```\n- b\n")).toBe(
      `## Learnings\n   \`\`\`\n   a\n   \`\`\`\n\n   - b\n\n${open}`,
    );
  });

  it("uses the line endings of the log", () => {
    const merged = mergeProgress(log.replaceAll("\n", "\r\n"), "- a\n  b\n");
    expect(merged).toBe(`${log}- a\n  b\n`.replaceAll("\n", "\r\n"));
  });

  it.each([
    ["```sh\nmake\n", "\n```sh\nmake\n```\n"],
    ["~~~~\nmake\n\n## x\n", "\n~~~~\nmake\n\n## x\n~~~~\n"],
    ["- a\n  ```\n  make", "- a\n  ```\n  make\n  ```\n"],
    ["1. a\n2. b\n", "\n1. a\n2. b\n"],
    ["* a\n* b\n", "\n* a\n* b\n"],
    ["  - a\n    b\n", "- a\n  b\n"],
    ["> a\n> b\n", "\n> a\n> b\n"],
  ])("keeps %j unchanged, with its fences closed", (member, added) => {
    expect(mergeProgress(log, member)).toBe(`${log}${added}`);
  });

  it.each([
    ["<!--\n- a", "- <\\!--\n- a\n"],
    ["[x]: http://y\n", "- \\[x\\]: http://y\n"],
    ["    indented\n", "- indented\n"],
    ["- a\n\n  <div>\n- b\n", "- a\n- \\<div>\n- b\n"],
    ["> ```\n> x", "- \\> ```\n- \\> x\n"],
    ["\u001b[31mred\u202e\n", "\nred\n"],
  ])("writes %j as text", (member, added) => {
    expect(mergeProgress(log, member).slice(log.length)).toBe(added);
  });

  it("merges at most 64 KiB and reports it", () => {
    const member = Array.from(
      { length: 120 },
      (_, index) => `- ${index} ${"ä".repeat(300)}
`,
    ).join("");
    const merged = mergeProgress(log, member);
    expect(Buffer.byteLength(merged)).toBeLessThan(66 * 1024);
    expect(merged.endsWith("\n- The rest of a log of more than 64 KiB was not merged\n")).toBe(true);
    expect(mergeProgress(merged, member)).toBe(merged);
  });

  describe("of a log of more than 64 KiB", () => {
    const note = "- The rest of a log of more than 64 KiB was not merged";
    const items = (count: number, bytes: number): string[] =>
      Array.from({ length: count }, (_, index) => `- ${index} `.padEnd(bytes - 1, "x"));

    it.each([
      ["\n", 1024, 64],
      ["\n", 1000, 65],
      ["\r", 1000, 65],
    ])("merges the lines that fit, ended by %j, of %i bytes each", (ending, bytes, fitting) => {
      const member = items(70, bytes).map((line) => `${line}${ending}`);
      expect(mergeProgress(log, member.join(""))).toBe(`${log}${lines(...items(fitting, bytes), note)}`);
    });

    it("writes the note as an item, also before an indented fence", () => {
      const open = "  ```\n## Learnings";
      expect(mergeProgress(open, "a".repeat(70_000))).toBe(`## Learnings\n   ${note}\n\n${open}`);
    });
  });

  it("distinguishes a limited number of headings", () => {
    const member = Array.from({ length: 40 }, (_, index) => `## S${index}\n- ${index}\n`).join("");
    const merged = mergeProgress(log, member);
    expect(merged.match(/^## S/gm)).toHaveLength(29);
    expect(merged.endsWith("- 38\n- 39\n")).toBe(true);
  });

  it("merges the lines of completed tasks that someone else accepted, unless they have one", () => {
    const log = "## Completed Tasks\n- [x] 1.1 A - abc1234\n\n## Learnings\n- old\n";
    const member = [
      "## Completed Tasks",
      "- [x] 1.1 A, again",
      "- [X] **1.2** B - def5678",
      "- [ ] 1.3 C",
      "- 1.4 D",
      "- [x] 1.5 E",
      "- [x] no id",
    ].join("\n");
    const done = new Set(["1.1", "1.2", "1.3", "1.4"]);
    expect(mergeProgress(log, member, done)).toBe(log.replace("abc1234\n", "abc1234\n- [X] **1.2** B - def5678\n"));
    expect(mergeProgress(log, member)).toBe(log);
  });
});

describe("mergeProgress, for every log and every member", () => {
  const members = fc.oneof(
    progressLogs,
    documents,
    tornTexts,
    hostileTexts,
    fc
      .array(fc.oneof(progressLogs, tornTexts, hostileTexts, fc.constant("\n")), { maxLength: 6 })
      .map((all) => all.join("\n")),
  );
  const titles = (text: string): string[] =>
    readBlocks(text.slice(preambleLength(text)))
      .headings.filter(({ level }) => level <= 2)
      .map(({ title, level }) => `${level} ${title}`);
  const withoutSigns = (title: string): string => title.replaceAll("\\", "").toLowerCase();

  const holdsInOrder = (after: string, before: string): boolean => {
    let at = 0;
    for (let next = 0; next < after.length && at < before.length; next += 1) if (after[next] === before[at]) at += 1;
    return at === before.length;
  };

  prop("I17: receives only insertions", [progressLogs, members], (text, member) => {
    expect(holdsInOrder(mergeProgress(text, member), text)).toBe(true);
  });

  prop("a repeated merge changes nothing", [progressLogs, members], (text, member) => {
    const once = mergeProgress(text, member);
    expect(mergeProgress(once, member)).toBe(once);
  });

  prop("I13: gets the missing headings and no other", [progressLogs, members], (text, member) => {
    const before = titles(text);
    const known = new Set(before.map(withoutSigns));
    const expected = [...readMemberLog(member).map(({ heading }) => heading), "Learnings"];
    const allowed = new Set(
      expected.map((heading) => withoutSigns(`2 ${heading}`)).filter((title) => !known.has(title)),
    );
    const left = titles(mergeProgress(text, member));
    for (const title of before) expect(left.splice(left.indexOf(title), 1)).toEqual([title]);
    expect(left.filter((title) => !allowed.has(withoutSigns(title)))).toEqual([]);
    expect(new Set(left.map(withoutSigns)).size).toBe(left.length);
  });
});
