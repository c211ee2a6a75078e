import { type Node, Parser } from "commonmark";

const parser = new Parser();

export interface DocumentReading {
  readonly headings: readonly string[];
  readonly count: (...types: readonly string[]) => number;
}

export function readDocument(markdown: string): DocumentReading {
  const counts = new Map<string, number>();
  const headings: string[] = [];
  const walker = parser.parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    if (!step.entering) continue;
    counts.set(step.node.type, (counts.get(step.node.type) ?? 0) + 1);
    if (step.node.type === "heading") headings.push(textOf(step.node));
  }
  return { headings, count: (...types) => types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0) };
}

function textOf(node: Node): string {
  let text = "";
  for (let child = node.firstChild; child !== null; child = child.next) text += child.literal ?? textOf(child);
  return text;
}
