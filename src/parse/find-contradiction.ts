import { saidParagraphs } from "./read-lines.ts";

/** Every admission contains one of these words, and most messages contain none. */
const key =
  /\b(?:not|cannot|\w{2,8}n[’ʼ']t|unable|fail(?:s|ed|ing)?|gave up|ran out|stop|stopped|stub(?:s|bed)?|left|leav(?:e|ing)|still|manual|human|remains?|unfinished|undone|incomplete|partially|partly)\b/i;

/** End of a sentence, or a signal. */
const end = /(?<=[.!?])["')\]*_]{0,3}\s|\b(?:ALL_TASKS_COMPLETE|TASK_COMPLETE|VERIFICATION_PASS)\b/;
const words = String.raw`(?: [\w.'/#%-]+)`;

/** Separators of clauses. A relative clause such as "which I …" is a clause of its own. */
const parts =
  /[,;:()–—]|\s-\s|\b(?:but|and|so|then|although|though|however|because|since|or|as)\b|(?<!thing )\b(?:that|which|what)\s(?=I\b)/i;
/** The rest of a clause after one of these words is about something else, or is a condition. */
const aside = /\b(?:that|which|who|whose|whom|when|whenever|if|whether|while|until|unless|where|once|how|why)\b/i;
const opening =
  /^(?:(?:unfortunately|sadly|sorry|also|please|honestly|apparently|(?:note|be aware|i think|i believe|it seems|the problem is)(?: that)?|for now|in the end|there) ){1,4}/i;

/** Phrases that excuse a problem: it is solved, intended, or part of another task. */
const excused =
  /\b(?:before(?= now| but|[;,.]|$| (?:the|this|that|my) (?:change|fix|work|commit|task))|previously|earlier|at first|initially|originally|used to|no longer|anymore|any more|now it|now they|but now|and now|(?:is|are|it|they) now|now (?:works?|pass(?:es)?|does|do|succeeds?|done|builds?)|fixed|solved|resolved|expected|as it should|as they should|as intended|intended|intentional(?:ly)?|deliberate(?:ly)?|on purpose|by design|as planned|as (?:asked|told|agreed|specified|requested)|pre-?existing|unrelated|out of scope|not part of|outside|belongs? to|later tasks?|next tasks?|other tasks?|by (?:the|this) task|unsupported|not support(?:ed)?|task \d|\d\.\d)\b/i;
/** Starts of a sentence that reports the problem of the previous sentence as solved. */
const mended = /^(?:now|that is now|it now|fixed|solved|resolved|since then|this is fixed|that is fixed)\b/i;

const adverbs =
  "(?:(?:still|yet|also|only|just|simply|quite|fully|really|actually|completely|entirely|even|ever) ){0,2}";
const inability = `(?:could not|couldn't|cannot|can't|can not|(?:was|were|am|is|have) not able to|(?:was|were|am)n't able to|(?:have|has|had) not been able to|(?:haven't|hasn't|hadn't) been able to|(?:was |were |am |is )?unable to|failed to|(?:did not|didn't) manage to)`;
const omission = "(?:did not|didn't|have not|haven't|do not|don't)";
const workable =
  "(?:finish|complete|implement|do|get|make|fix|solve|resolve|build|write|add|create|import|connect|install|compile|deploy|update|port|migrate|wire|apply|handle|support|convert|set up|start|figure out|work out|satisfy|meet|pass|reach|carry out|succeed|generate|integrate|remove|replace|move|reproduce)";
const omitted =
  "(?:finish(?:ed)?|complete[d]?|implement(?:ed)?|d(?:o|one) (?:it|this|that|the|all|everything|what|step)|(?:get|got|gotten) (?:to|round|around|it|the)|solve[d]?|resolve[d]?|fix(?:ed)?|writ(?:e|ten)|add(?:ed)?|wire[d]?|port(?:ed)?|migrate[d]?|import(?:ed)?|convert(?:ed)?|succeed(?:ed)?)";
/** Objects whose omission is no failure, as in "did not add other files". */
const besides =
  "(?! (?:any(?! of\\b)|anything|other|others|another|further|more|extra|additional|new|a new|the other|existing|(?:the |a )?(?:dependenc|package|comment|lockfile|snapshot|changelog)))";

/** Phrases for failures of the agent itself, without their subject. */
const own = [
  `${inability} ${adverbs}${workable}\\b${besides}`,
  `${omission} ${adverbs}${omitted}\\b${besides}`,
  "(?:gave up(?! (?:on )?(?:the|this|that|my|an?|one) (?:[\\w-]+ )?(?:approach|attempt|design|idea|plan|version)\\b)|ran out of (?:time|context|tokens|budget|turns)|had to (?:stop|give up|leave out|stub)|stopped (?:before|short|half|early)|stubbed)\\b",
  `(?:have |had )?(?:left|leave|leaving)(?! nothing| none| no )${words}{1,8} (?:undone|unfinished|incomplete|unimplemented|to be done|half[- ]done|half[- ]finished|for (?:later|a later|another|you)|as (?:a )?(?:todo|stub|placeholder))\\b`,
];
const ofAgent = new RegExp(`^(?:i|we|i've|we've|i'm) ${adverbs}(?:${own.join("|")})`, "i");
const elided = new RegExp(`^(?:${own.join("|")})`, "i");
/** Start of a clause about what the agent did: later clauses may then omit the subject. */
const isDoing = /^(?:i|we|i've|we've|[a-z]{2,20}ed|wrote|built|made|left|did|ran|got)\b/i;

const subject = `(?:it|this|that|the|my|our|everything|all|one|two|three|some|part|parts|half|most|much|several|tests?|step|task|work|implementation|\\d+)${words}{0,6}`;
const done =
  "(?:done|finished|completed?|implemented|working|fixed|solved|resolved|in place|wired(?: up)?|ready|there|covered|migrated|ported)";
const unfinished = new RegExp(
  `^${subject} (?:(?:is|are|was|were|has|have) ${adverbs}not|(?:is|are|was|were|has|have)n't) (?:been )?${adverbs}${done}\\b`,
  "i",
);
const incomplete = new RegExp(
  `^${subject} (?:is|are|remains?|stays?|was|were) ${adverbs}(?:undone|unfinished|incomplete|unimplemented|half[- ]done|half[- ]finished|stubbed|a stub|to be done|only half|only part|(?:partially|partly)(?! (?!done|finish|complet|implement|work|fix|mend|migrat|port|cover|support)\\w+(?:ed|en|t)\\b))\\b`,
  "i",
);
const stillWrong = new RegExp(
  `^(?:${subject}|(?:[\\w-]+ ){0,3}(?:tests?|specs?|checks?|build|lint|suite)) still (?:fails?|failing|missing|broken|red|open|to be done|crash(?:es)?|errors?|has? (?:failures|errors))\\b`,
  "i",
);
const counted =
  /^(?:some|one|two|three|four|five|several|many|most|all|\d{1,6})(?: of)?(?: the| my)?(?: [\w-]+){0,2} (?:tests?|specs?|checks?) (?:still )?(?:fail|fails|(?:are|is) failing|(?:are|is) red|(?:do|does) not pass|don't pass|doesn't pass)\b/i;
const doesNot =
  /^(?:it|this|(?:the |my )?(?:\w+ )?(?:tests?|build|code|suite|verify|verify command|implementation|compilation|typecheck)) (?:still )?(?:(?:does|do) not|doesn't|don't) (?:yet |fully )?(?:work|compile|build|pass|run)\b/i;
const leftOver =
  /^(?:is|are|remains?) still\b.{0,60}\b(?:failing|broken|undone|unfinished|to do|to be done|left to do|missing|left)\b/i;
/** Starts of a sentence about unfinished work. */
const pointing =
  /^(?:not (?:yet )?(?:done|implemented|finished|working|fixed)|still (?:to do|open|missing|failing|broken|todo))\b/i;
const couldNot = new RegExp(
  `^${subject} (?:could not|couldn't) (?:be )?(?:completed?|finished|done|implemented)\\b`,
  "i",
);
const claimed = [couldNot, unfinished, incomplete, stillWrong, counted, doesNot, leftOver];

/** Phrases which say that only a person can do something. */
const needsPerson = /\b(?:requires? manual|needs? human|manual intervention|cannot be automated)\b/i;
const nothing = /^(?:no|none|nothing|nobody|never|neither|0|zero|not a single|not one)\b/i;
const denied = /\b(?:no|not|none|never|nothing|without|longer|neither)\b/i;

/** In UTF-16 code units. Longer sentences are ignored. */
const longest = 600;

/**
 * Find the first sentence in which the author of a message admits that the task is not done.
 *
 * Ignores quotes, code, and sentences about other tasks, about earlier or intended states, and about how the code
 * handles failures.
 *
 * @param text The whole final message, untrusted.
 */
export function findContradiction(text: string): string | null {
  if (!key.test(text)) return null;
  for (const said of saidParagraphs(text)) {
    const sentences = said.split(end).map((sentence) => sentence.replace(leading, "").trim());
    for (const [index, sentence] of sentences.entries()) {
      if (sentence.length <= longest && admits(sentence) && !mended.test(sentences[index + 1] ?? "")) return sentence;
    }
  }
  return null;
}

const leading = /^[\s#*_+•|>-]+|(?<![*_|\s])[\s*_|]+$/g;

function admits(sentence: string): boolean {
  if (!key.test(sentence) || sentence.endsWith("?") || excused.test(sentence)) return false;
  const clauses = sentence
    .replace(/[’ʼ]/g, "'")
    .split(parts)
    .map((clause) => clause.replace(/[*_]/g, "").trim().replace(opening, "").split(aside, 1).join("").trim());
  const isOwn = isDoing.test(clauses[0] as string);
  return clauses.some((clause, index) => {
    if (nothing.test(clause)) return false;
    if (ofAgent.test(clause) || ((index === 0 || isOwn) && elided.test(clause))) return true;
    if (index === 0 && pointing.test(clause)) return true;
    return claimed.some((claim) => claim.test(clause)) || isForPerson(clause);
  });
}

function isForPerson(clause: string): boolean {
  const found = needsPerson.exec(clause);
  return found !== null && !denied.test(clause.slice(0, found.index));
}
