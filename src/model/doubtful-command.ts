export interface DoubtfulCommand {
  readonly kind: "prose" | "prompt";
  readonly meant: string;
}

/** Terminal prompts, such as `$ `, and shell names in front of a command. */
const prompts: readonly RegExp[] = [
  /^(?:[\w.-]{1,40}@[\w.-]{1,60}[^\n$#%>]{0,80}|\([\w.-]{1,40}\) ?|(?:ba|z|k|da|fi)?sh(?:-[\d.]{1,8})?)?[$%\u276f\u279c\u00bb][ \t]+(?=\S)/,
  /^[\w.-]{1,40}@[\w.-]{1,60}[^\n$#%>]{0,80}[#>][ \t]+(?=\S)/,
  /^PS(?: [^\n>]{0,80})?>[ \t]*(?=\S)/,
  /^>[ \t]+(?=\S+[ \t]+\S)/,
  /^(?:(?:ba|z|k|da|fi)?sh|shell|console|terminal|cmd|powershell|command|run):[ \t]+(?=\S)/i,
];

/** Programs whose arguments may be prose. */
const freeText = new Set(["echo", "printf", "say", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk"]);
/** Words that make a line prose anywhere after the program. */
const judging = /^(?:passes|passed|succeeds|succeeded)[.,:]?$/i;
/** Words that make a line prose if another plain word follows. */
const telling =
  /^(?:is|are|was|were|should|must|will|exits|returns|prints|shows|outputs|displays|contains|reports|works|has|completes|finishes|runs)$/i;
/** Words that make a line prose if they follow the program and another plain word comes next. */
const naming = /^(?:the|that|sure|every|each|manually|whether)$/i;
/** Names of checks. A line is prose if one of the words in `ending` follows. */
const checked = /^(?:tests?|checks?|specs?|suites?|build|lint|typecheck)$/i;
const ending = /^(?:pass|works?|fails?|green|clean)[.,:]?$/i;
const plain = /^[\w.,'%]+$/;
const operators = /[|&;<>$`"(){}*=\\]|^'|'$/;

/**
 * Find a mistake in a written command: a terminal prompt (`$ npm test`), or a sentence about a command (`make test
 * passes`).
 *
 * @param command A shell command of any number of lines. @returns Null if it may be a command.
 */
export function doubtCommand(command: string): DoubtfulCommand | null {
  const text = command.trim();
  const prompt = prompts.find((form) => form.test(text));
  if (prompt !== undefined) {
    const lines = text.split(/\r?\n/).map((line) => line.replace(prompt, ""));
    return { kind: "prompt", meant: lines.join("\n") };
  }
  const meant = /[\r\n]/.test(text) ? null : commandInProse(text);
  return meant === null ? null : { kind: "prose", meant };
}

function commandInProse(line: string): string | null {
  const written = line.split(/[ \t]+/);
  const cut = written.findIndex((word) => operators.test(word));
  const words = cut === -1 ? written : written.slice(0, cut);
  const [program = ""] = words;
  if (freeText.has(program) || isTest(words)) return null;
  const at = words.findIndex((word, index) => index > 0 && isProse(words, word, index));
  return at === -1 ? null : words.slice(0, naming.test(words[at] as string) ? 0 : at).join(" ");
}

const opening = /^\p{Lu}[\p{L}'’]*,? +(?!\p{Lu}{2})[\p{L}'’]+[.,:;!]?(?= |$)/u;
/** Words that occur only in sentences, not in commands. */
const joining = /^(?:the|is|are|was|were|should|must|will|can|with|without|when|that|and|not|no)$/i;

/** Whether a command whose program does not exist is a sentence: `The page renders`, `all links work and load`. */
function isSentence(command: string): boolean {
  if (doubtCommand(command)?.kind === "prose" || opening.test(command.trim())) return true;
  const words = command.trim().split(/\s+/);
  return words.every((word) => plain.test(word)) && words.some((word, index) => index > 0 && joining.test(word));
}

/**
 * Explain in a clause why a command without an existing program cannot run.
 *
 * @returns `hint` says what to write instead, in a sentence without a period; null if the command may name a program.
 */
export const whyNoProgram = (
  command: string,
  program: string,
): { readonly why: string; readonly hint: string | null } =>
  isSentence(command)
    ? {
        why: "it reads like a sentence, not a command",
        hint: "Write a command in a code span, and move the sentence to `Done when`",
      }
    : { why: `there is no program \`${program}\``, hint: null };

/** Whether a line is `test -f a` or `[ … ]`: both commands take any words. */
const isTest = ([program, ...words]: readonly string[]): boolean =>
  program === "[" || (program === "test" && words.some((word) => /^(?:-|!)/.test(word)));

function isProse(words: readonly string[], word: string, index: number): boolean {
  const [before = "", behind] = [words[index - 1], words[index + 1]];
  // The word may be the value of an option, such as a pattern.
  if (/^-(?:[^-]|-$)/.test(before)) return false;
  if (judging.test(word)) return true;
  const goesOn = behind !== undefined && plain.test(behind);
  if (telling.test(word)) return goesOn;
  if (naming.test(word)) return index === 1 && goesOn;
  return ending.test(word) && checked.test(before);
}
