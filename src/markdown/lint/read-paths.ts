import { splitLines } from "../text/line-ending.ts";

const codeSpan = /`([^`]+)`/g;
const remark = /\([^()]*\)/g;
const bullet = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const action = /^(?:\*\*)?(?:create|creates|new|modify|modified|edit|update|add|delete|remove|rename)(?:\*\*)?:[ \t]*/i;
const path = /^(?!https?:)(?=.*[./])[\w./@~*{}<>[\]$+-]+$/;
const named = /[\w*}>\]]/;
const betweenPaths = /,(?![^{}]{0,200}\})/;
const braces = /^([^{}]*)\{([^{}]*)\}(.*)$/;
const mostWords = 20;
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
    return spans.length > 0 ? spans : items.split(betweenPaths);
  });
  return [...new Set(found.flatMap((item) => pathsOf(item.trim().replace(action, "")).flatMap(readPath)))];
}

/** A path for each word of braces, as of `{a,b}.md`: of the first two, and as many as a list has. */
function pathsOf(item: string, depth = 2): string[] {
  const [, before = "", words, behind = ""] = braces.exec(item) ?? [];
  if (words === undefined || depth === 0 || !words.includes(",")) return [item];
  return words
    .split(",")
    .slice(0, mostWords)
    .flatMap((word) => pathsOf(`${before}${word.trim()}${behind}`, depth - 1));
}

function readPath(item: string): string[] {
  const bare = item.replace(lineNumber, "").replace(/^(?:\.\/)+/, "");
  return path.test(bare) && named.test(bare) && !notPaths.has(bare) ? [bare] : [];
}
