import type { Check } from "./find-checks.ts";
import { indentOf, squeeze } from "./source-text.ts";

/** Examples in doc comments of Rust and Python that tools run as checks; none for other languages. */
export function docChecks(path: string, text: string): readonly Check[] {
  const found = path.endsWith(".rs") ? rustExamples(text) : path.endsWith(".py") ? pythonExamples(text) : [];
  const seen = new Map<string, number>();
  return found.map(({ item, body, runs }) => {
    const count = (seen.get(item) ?? 0) + 1;
    seen.set(item, count);
    return { name: `${item} #${count}`, leaf: item, body: squeeze(body), runs, depth: 0 };
  });
}

interface Example {
  readonly item: string;
  readonly body: string;
  readonly runs: boolean;
}

const rustDoc = /^\s*\/\/[/!] ?(.*)$/;
const rustItem = /\b(?:fn|struct|enum|union|trait|mod|const|static|type|macro_rules!)\s+(\w+)/;
/** Words after an opening fence that mark an example as not run, or as expected to fail. */
const notRun = /\b(?:ignore\w*|no_run|should_panic|compile_fail|text|none|console|toml|json|sh|bash)\b/;

function rustExamples(text: string): readonly Example[] {
  const found: Example[] = [];
  let open: { readonly words: string; readonly lines: string[] } | null = null;
  let waiting: Omit<Example, "item">[] = [];
  for (const line of text.split("\n")) {
    const said = rustDoc.exec(line)?.[1]?.trim();
    if (said === undefined) {
      const item = rustItem.exec(line)?.[1];
      if (item === undefined && /^\s*#/.test(line)) continue;
      found.push(...waiting.map((each) => ({ ...each, item: item ?? "" })));
      waiting = [];
      open = null;
    } else if (said.startsWith("```")) {
      if (open === null) open = { words: said.slice(3), lines: [] };
      else {
        waiting.push({ body: open.lines.join("\n"), runs: !notRun.test(open.words) });
        open = null;
      }
    } else open?.lines.push(said);
  }
  return found;
}

const pythonItem = /^\s*(?:async )?(?:def|class) (\w+)/;

export function pythonExamples(text: string): readonly Example[] {
  const found: Example[] = [];
  let item = "";
  let lines: string[] | null = null;
  for (const line of [...text.split("\n"), ""]) {
    const isStart = /^\s*>>> /.test(line);
    const isEnd = isStart || line.trim() === "" || /^\s*(?:"""|''')/.test(line);
    if (lines !== null && isEnd) {
      const isSkipped = lines.some((each) => /#\s{0,4}doctest:\s{0,4}\+SKIP/.test(each));
      found.push({ item, body: lines.join("\n"), runs: !isSkipped });
      lines = null;
    }
    if (lines === null) item = pythonItem.exec(line)?.[1] ?? item;
    if (isStart) lines = [line.trim()];
    else lines?.push(`${indentOf(line)} ${line.trim()}`);
  }
  return found;
}
