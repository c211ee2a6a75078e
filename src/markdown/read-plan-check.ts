import { placeHeadings } from "./document/place-tasks.ts";
import { openPlan } from "./document/plan-document.ts";
import { splitLines } from "./text/line-ending.ts";

const ofCommands = /^(?:validation|verification) commands?$/i;
const bullet = /^[-*+][ \t]+`([^`]+)`/;
const fence = /^(?:`{3,}|~{3,})[ \t]*(\w*)/;
const shells = new Set(["", "sh", "bash", "shell", "zsh"]);
/** Parts of a script that a list of commands cannot have, and placeholders. */
const isPart = /^[ \t]|[\\|&]$|<<|<[a-z]|^(?:for|if|while|case|done|fi|esac)\b/;
/** A command that would change the meaning of the next one. */
const isScoped = /^cd .*&&|\|\||;/;

/**
 * Read the commands that verify each task of a plan: code in a list, or a fence, below `## Validation Commands`.
 *
 * @returns One command line; null without such commands, or for a script that is no list of commands.
 */
export function readPlanCheck(text: string): string | null {
  const headings = placeHeadings(openPlan(text).chunks, text.length);
  const at = headings.findIndex(({ title }) => ofCommands.test(title));
  const start = headings[at]?.start;
  if (start === undefined) return null;
  let language: string | null = null;
  const commands = splitLines(text.slice(start, headings[at + 1]?.start)).flatMap((line) => {
    const opened = fence.exec(line);
    if (opened !== null) language = language === null ? (opened[1] as string) : null;
    else if (language !== null) return shells.has(language) && /^[^#]/.test(line) ? [line.trimEnd()] : [];
    return bullet.exec(line)?.[1] ?? [];
  });
  if (commands.length < 2) return commands.find((command) => !isPart.test(command)) ?? null;
  if (commands.some((command) => isPart.test(command))) return null;
  return commands.map((command) => (isScoped.test(command) ? `(${command})` : command)).join(" && ");
}
