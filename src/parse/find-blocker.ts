import { clamp } from "../model/clamp.ts";
import { eachLine } from "./read-lines.ts";
import { unbold } from "./unbold.ts";

const word = "BLOCKED:";

/** Characters of a question. */
const longest = 2000;

/**
 * The question that a message puts to a person before its author can go on: what stands behind `BLOCKED:` at the start
 * of a line, and the lines directly below it. Null without one. What is fenced or quoted does not count.
 *
 * @param text
 *   The whole final message, untrusted.
 * @see docs/protocol.md
 */
export function findBlocker(text: string): string | null {
  if (!text.includes("BLOCKED")) return null;
  let question = "";
  let isOpen = false;
  let isOver = false;
  eachLine(text, ({ kind, text: line }) => {
    if (isOver) return;
    const said = kind === "spoken" ? unbold(line.trim()) : "";
    const isNext = said.startsWith(word);
    if (isNext && question === "") question = said.slice(word.length).trim();
    else if (isOpen && said !== "" && !isNext && question.length < 2 * longest)
      question = `${question}\n${said}`.trim();
    else isOver = question !== "";
    isOpen = isNext || (isOpen && said !== "");
  });
  return question === "" ? null : clamp(question, longest).trim();
}
