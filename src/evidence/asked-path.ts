const edits =
  /\b(?:add|adjust|adapt|alter|append|chang|convert|correct|creat|delet|drop|edit|expand|extend|format|insert|mark|merg|migrat|modif|mov|port|record|refactor|refresh|regenerat|remov|renam|replac|rewrit|skip|split|updat|writ)\w{0,5}\b/i;
/** Matches words after which a path is only referred to: what comes before them does not apply to it. */
const refers =
  /\b(?:see|read|study|consult|inspect|look (?:at|in)|against|by|per|according to|as|since|because|so|until|whose|which|covered|shown|reported|described|documented|defined|specified|exercised|runs?|running|satisf\w{1,4}|match\w{0,3}|meets?|to (?:get|keep|make|pass|turn))\s/i;
/** Matches the continuation of a statement about a file. */
const tells =
  /^[`"')\]]{0,3}\s+(?:shows?|expects?|fails?|covers?|pass|passes|passing|checks?|describes?|says|requires?|wants|asserts?|turns? green|(?:is|are|be|becomes?|goes|stays?|remains?) (?:red|failing|green|passing)|green|succeeds?|(?:should|must|will|now) (?:be|pass|succeed|turn)\w*)\b/i;
const failing = /\b(?:fail(?:s|ed|ing|ures?)?|broken|red)\b/i;

/**
 * Whether a sentence that names a file may ask to change the file. A sentence that refers to it ("see tests/add.py",
 * "so that tests/add.py passes") does not.
 */
export function mayChange(sentence: string, start: number, length: number): boolean {
  if (tells.test(sentence.slice(start + length))) return false;
  const before = sentence.slice(0, start);
  const clause = before.split(refers).at(-1) as string;
  return edits.test(clause) || (clause === before && !failing.test(clause));
}
