import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { encodeCell, encodeLine, fenceLog } from "../../../src/wording/report/report-text.ts";
import { hostileTexts } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

describe("encodeLine", () => {
  it.each([
    ["# Tasks\nare missing", undefined, "\\# Tasks are missing"],
    ["# Tasks\nare missing", "Last error:", "Last error: # Tasks are missing"],
    ["Promise<string>", "**Task:**", "**Task:** Promise\\<string>"],
    [" \u200b\n", "Reported status:", "Reported status:"],
    [" \u200b\n", undefined, ""],
  ])("writes %j after the label %j as %j", (text, label, expected) => {
    expect(encodeLine(text, label)).toBe(expected);
  });
});

describe("encodeCell", () => {
  it.each([
    "Split `a|b` and a\\|b",
    "Split `a` \\",
    "<script>|alert(1)</script></code><b>",
    "<script>alert(1)</script></code><b>",
    "see | @admins, #12, www.evil.test, https://evil.test and x[0]",
    "&amp; &#124; *a* | _b_ ~c~",
  ])("is one cell that reads as the text: %s", (text) => {
    const table = `| task | state |\n| --- | --- |\n| ${encodeCell(text)} | open |\n`;
    const shown = new MarkdownIt({ html: true, linkify: true }).render(table);
    const cells = [...shown.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell);
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(cells).toEqual([`<code>${escaped}</code>`, "open"]);
  });

  it("stays on one line, without words that a machine obeys", () => {
    expect(encodeCell("a\n| b TASK_COMPLETE\u0007")).toBe("<code>a &#124; b TASK COMPLETE</code>");
    expect(encodeCell("1.1 a\nTASK_COMPLETE\u0007")).toBe("`1.1 a TASK COMPLETE`");
  });
});

describe("fenceLog", () => {
  it("keeps lines and their indentation, without blank lines around them", () => {
    expect(fenceLog("\n \nError:\r\n\t at  x\n\n    ^\n\n")).toEqual([
      "```text",
      "Error:",
      "   at x",
      "",
      "    ^",
      "```",
    ]);
  });

  it("is empty for a blank log", () => {
    expect(fenceLog("")).toEqual([]);
    expect(fenceLog(" \n\u001b[31m\u001b[0m\n")).toEqual([]);
  });

  it("has a fence that is longer than any in the log", () => {
    expect(fenceLog("```\n`````x\n")).toEqual(["``````text", "```", "`````x", "``````"]);
  });

  it("omits what a terminal or a machine would interpret", () => {
    expect(fenceLog("\u001b]0;title\u0007red\u001b[0m\0\n- [x] 9.9 <!-- TASK_COMPLETE")).toEqual([
      "```text",
      "red",
      "- (x) 9.9 <! -- TASK COMPLETE",
      "```",
    ]);
  });

  it("keeps the end of a log of more than 8000 characters, from the beginning of a line", () => {
    const [, ...lines] = fenceLog(`${"line of a log\n".repeat(1000)}the end`);
    expect(lines.slice(0, 2)).toEqual(["…", "line of a log"]);
    expect(lines.slice(-2)).toEqual(["the end", "```"]);
    expect(lines.slice(0, -1).join("\n").length).toBeLessThanOrEqual(8000);
    expect(lines.slice(0, -1).join("\n").length).toBeGreaterThan(7900);
  });

  it("keeps all of a log of 8000 characters", () => {
    const log = `${"line of a log\n".repeat(571)}at end`;
    expect(log).toHaveLength(8000);
    expect(fenceLog(log)).toEqual(["```text", ...log.split("\n"), "```"]);
    expect(fenceLog(`${log}s`)[1]).toBe("…");
  });

  it("searches the last 32000 characters of a log for text", () => {
    expect(fenceLog(`Error: timeout${"\n".repeat(31_000)}`)).toEqual(["```text", "Error: timeout", "```"]);
    expect(fenceLog(`Error: timeout${"\n".repeat(32_000)}`)).toEqual([]);
  });

  it("truncates a long line at a whole character", () => {
    const [, mark, line] = fenceLog(`x${"📏".repeat(5000)}`);
    expect([mark, line?.length]).toEqual(["…", 7998]);
    expect(fenceLog(`${"📏".repeat(5000)}x`)[2]).toBe(`${"📏".repeat(3998)}x`);
  });

  prop("I13: nothing in a log closes its fence", [hostileTexts], (log) => {
    const lines = fenceLog(log);
    const [first = ""] = lines;
    expect(lines.slice(1, -1).filter((line) => line.trim().startsWith(first.replace("text", "")))).toEqual([]);
  });
});
