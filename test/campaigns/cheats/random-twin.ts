import { randomNumbers } from "../../support/random-numbers.ts";
import type { Tool, Work } from "./tool.ts";

export function randomTwin(seed: number, number: number, tools: readonly Tool[]): { tool: Tool; work: Work } {
  const random = randomNumbers(seed * 1000 + number);
  const tool = tools[number % tools.length] as Tool;
  const shuffled = tool.pieces.map((piece) => ({ piece, at: random() })).sort((one, other) => one.at - other.at);
  const count = 2 + Math.floor(random() * (tool.pieces.length - 1));
  const pieces = shuffled.slice(0, count).map(({ piece }) => piece);
  return {
    tool,
    work: {
      name: pieces.map(({ name }) => name).join(", "),
      edits: Object.assign({}, ...pieces.map(({ edits }) => edits)),
    },
  };
}
