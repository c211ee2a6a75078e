import { parseFailureHeading } from "./parse-failure.ts";
import { loneWord } from "./parse-signal.ts";
import { eachLine, type MessageLine } from "./read-lines.ts";

const errorWords =
  /\b(?:\w*error|\w*exception|fail(?:s|ed|ing|ure|ures)?|fatal|panic(?:ked)?|cannot|can't|could not|couldn't|unable|unknown|undefined|undeclared|unexpected|invalid|missing|not found|no such|denied|refused|reset by|timed out|timeout|broken|crash(?:ed|es)?|abort(?:ed)?|unresolved|conflict|mismatch|exit(?:ed)? (?:code|with|status) ?[1-9])\b|\bE[A-Z]{4,}\b|[✗✘❌]/i;
const courtesy =
  /^(?:please\b|(?:just )?(?:let|tell|ping|ask) (?:me|us)\b|feel free|happy to|glad to|i(?:'d| would| will|'ll| am|'m) (?:be )?(?:happy|glad|ready|available)|i can (?:also )?.{0,80}\bif you\b|if you(?:'d| would)? (?:like|want|prefer|need|wish|have)|would you|do you|shall i|should i|can you|could you|(?:just )?say the word|(?:many )?thank|thx\b|cheers|sorry\b|apologies|(?:i )?hope (?:this|that|it)\b|(?:best |kind )?regards|good luck|enjoy\b|don't hesitate|do not hesitate|looking forward|ready when you|standing by|waiting for you|awaiting you|over to you|have a (?:nice|good|great))/i;
/** Lines around an error that do not explain it: stack frames, marks below code, and the prompt of Node. */
const surrounding = /^(?:at \S|File "|node:internal\b|Node\.js v)|^[\s^~|─-]+$/;
const marks = /^(?:[\s#•+\-*_✅✓✔☑✗✘❌⚠]|\uFE0F|\d{1,3}[.)](?=\s)|\[[ xX]\])*/u;
const closesLabel = /:["'*_`]{0,3}$/;

/** Maximum length of the examined start of a line, in characters. */
const looked = 1000;

/** A paragraph or a fence; `lines` are its informative lines. */
interface Block {
  readonly isFenced: boolean;
  readonly lines: string[];
}

/**
 * Find the line that best explains a failure without a failure block. In this order: the last line with error words in
 * the last fence; the last such line outside of fences; the last line of the last fence; the first line of the last
 * paragraph. Signals, horizontal rules, tables, headings, offers, courtesy and questions do not count.
 *
 * @param text The whole final message, untrusted.
 */
export function tellingLine(text: string): string | null {
  const blocks = blocksOf(text);
  const fence = blocks.findLast(({ isFenced }) => isFenced);
  const spoken = blocks.filter(({ isFenced }) => !isFenced);
  const hasError = (line: string): boolean => errorWords.test(line);
  return (
    fence?.lines.findLast(hasError) ??
    spoken.flatMap(({ lines }) => lines).findLast(hasError) ??
    fence?.lines.at(-1) ??
    spoken.at(-1)?.lines[0] ??
    null
  );
}

/** The last list or paragraph of a message on one line, without signals and courtesy; null if nothing is left. */
export function findingsIn(text: string): string | null {
  const last = blocksOf(text).findLast(({ isFenced }) => !isFenced);
  return last === undefined ? null : last.lines.join("; ").replace(/(?<=[.!,;:]); /g, " ");
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  const end = (): void => {
    open = null;
  };
  const see = ({ kind, text: line }: MessageLine): void => {
    if (line.trim() === "" && kind !== "fenced") end();
    const told = kind === "quoted" ? null : informing(line.slice(0, looked), kind === "fenced");
    if (told === null) return;
    const block: Block = open ?? { isFenced: kind === "fenced", lines: [] };
    if (open === null) blocks.push(block);
    block.lines.push(told);
    open = block;
  };
  eachLine(text, see, end);
  return blocks;
}

const hasWord = /[\p{L}\p{N}]/u;

/** The line without its marks; null if it explains nothing. */
function informing(line: string, isFenced: boolean): string | null {
  const trimmed = line.trim();
  if (!hasWord.test(trimmed) || surrounding.test(trimmed) || isSignal(trimmed)) return null;
  if (isFenced) return trimmed;
  if (/^#{1,6}\s|^\|/.test(trimmed)) return null;
  const said = trimmed
    .replace(marks, "")
    .replace(/(?<![*_])[*_]+$/, "")
    .trim();
  return !hasWord.test(said) || isEmptyTalk(said) || /^(?:`{3}|~{3})/.test(said) ? null : said;
}

const isSignal = (line: string): boolean =>
  parseFailureHeading(line) !== null || /^[A-Z]+_[A-Z_]+$/.test(loneWord(line) ?? "");

const isEmptyTalk = (said: string): boolean =>
  courtesy.test(said.replace(/[’ʼ]/g, "'")) || /\?["'*_`)]{0,3}$/.test(said) || closesLabel.test(said);
