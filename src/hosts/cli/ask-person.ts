import { escapeText } from "./escape-text.ts";

/**
 * A question with what it is about, put to a person; only a plain yes is one.
 *
 * @param ask As a terminal has it.
 * @param show Prints what is to be read before the answer.
 */
export async function askPerson(
  question: string,
  items: readonly string[],
  ask: (question: string) => Promise<string>,
  show: (text: string) => void,
): Promise<boolean> {
  show(`${escapeText(question)}\n${items.map((item) => `  ${escapeText(item)}\n`).join("")}`);
  const answer = await ask("[y/N] ");
  return /^\s*y(es)?\s*$/i.test(answer);
}
