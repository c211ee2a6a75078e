import { splitLines } from "../text/line-ending.ts";

const codeSpan = /`([^`]+)`/g;
const remark = /\([^()]*\)/g;
const bullet = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const action = /^(?:\*\*)?(?:create|creates|new|modify|modified|edit|update|add|delete|remove|rename)(?:\*\*)?:[ \t]*/i;
const path = /^(?!https?:)(?=.*[./])[\w./@~*{}<>[\]$+-]+$/;
const named = /[\w*}>\]]/;
const lineNumber = /:\d[\d,-]*$/;
/** What is only looked at. */
const untouched = /\b(?:read|reads|reading|reference|unchanged|no changes?|verify only|see)\b/i;
const notPaths = new Set(["n/a", "N/A", "and/or", "e.g.", "i.e.", "etc."]);

/**
 * The paths that a Files field names to be written: in code spans, or as a list of lines and commas.
 *
 * @param value The source behind the label, as `Task.fields` gives it.
 * @returns Each once, without `./` at its start.
 */
export function readPaths(value: string): string[] {
  const found = splitLines(value).flatMap((line) => {
    if (untouched.test(line)) return [];
    // A remark behind a path may name other things than paths.
    const items = line.replace(bullet, "").replace(remark, "");
    const spans = Array.from(items.matchAll(codeSpan), ([, code = ""]) => code);
    return spans.length > 0 ? spans : items.split(",");
  });
  return [...new Set(found.flatMap((item) => readPath(item.trim().replace(action, ""))))];
}

function readPath(item: string): string[] {
  const bare = item.replace(lineNumber, "").replace(/^(?:\.\/)+/, "");
  return path.test(bare) && named.test(bare) && !notPaths.has(bare) ? [bare] : [];
}
