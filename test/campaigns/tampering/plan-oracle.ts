/** Understands only plans of `planText`. */
interface Line {
  readonly task: string | null;
  readonly text: string;
  readonly indent: number;
}

const taskLine = /^- \[([ x])\] (\S+) /;

export const boxesIn = (text: string): { readonly id: string; readonly isTicked: boolean }[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, box, id] = taskLine.exec(line.replace(/^ +/, "")) ?? [];
    return id === undefined ? [] : [{ id, isTicked: box === "x" }];
  });

/**
 * Lines that must not change, without white space, boxes and notes. A done task must keep only its id and first Verify.
 */
function linesOf(text: string, done: ReadonlySet<string>): Line[] {
  let task: string | null = null;
  const verified = new Set<string>();
  return text.split(/\r?\n/).flatMap((source): Line[] => {
    const line = source.trimEnd();
    if (line === "") return [];
    const id = taskLine.exec(line)?.[2];
    if (id !== undefined) task = id;
    else if (!line.startsWith("  ")) task = null;
    const words = line.trim().replace(/\s+/g, " ");
    if (/\bNote: /.test(words)) return [];
    const indent = line.length - line.trimStart().length;
    if (task !== null && done.has(task)) {
      if (id !== undefined) return [{ task, text: `task ${id}`, indent }];
      const isFirst = words.includes("**Verify**") && !verified.has(task);
      if (isFirst) verified.add(task);
      return isFirst || taskLine.test(words) ? [{ task, text: words, indent }] : [];
    }
    return [{ task, text: words.replace(/^- \[x\]/, "- [ ]"), indent }];
  });
}

export function isForeignEdit(before: string, after: string, own: string): boolean {
  const boxes = boxesIn(before);
  const done = new Set(boxes.filter(({ isTicked }) => isTicked).map(({ id }) => id));
  const [was, is] = [linesOf(before, done), linesOf(after, done)];
  const last = was.findLastIndex(({ task }) => task !== null);
  let at = 0;
  for (const line of is) {
    if (was[at]?.text === line.text && was[at]?.task === line.task) {
      at += 1;
      continue;
    }
    const isField = /\*\*(?:Do|Files|Done when|Verify|Commit)\*\*/.test(line.text);
    const isTwice = was.some(({ task, text }) => task === line.task && text === line.text);
    const isNote = line.task === own && line.indent === 2 && (!isField || isTwice);
    const isTail = line.task === null && at > last;
    if (!isNote && !isTail) return true;
    if (taskLine.test(line.text)) return true;
  }
  return at < was.length;
}
