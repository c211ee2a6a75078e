/** Words with which titles say that a person has to do a task, in the languages of the plans that were looked at. */
const person = [
  /^(?:\*\*|_)?(?:manual(?:ly)?|by hand|human|person|user)(?:\*\*|_)?[ \t]?[:：]/i,
  /^(?:\*\*|_)?(?:manual(?:ly)?|by hand|human)(?:\*\*|_)? [\u2013\u2014-] /i,
  /^(?:\*\*|_)?manual\b[^:.]{0,30}:/i,
  /\((?:manual|human|by hand|user action)[^)]{0,40}\)/i,
  /\[(?:manual|human|user)\]/i,
  /\b(?:ask|wait for|get|obtain)\b.{0,40}\b(?:user(?:'s)?|human|owner|maintainer) (?:approval|sign-?off|confirmation|review)(?=[ \t]?(?:[.,;:)]|$)| (?:on|of|for|from|before|to)\b)/i,
  /^(?:\*\*)?(?:手动|人工|手作業|手動)(?:\*\*)?\s*[:：（(]/u,
];
/** UTF-16 code units of a checkpoint in which it may ask. */
const longestQuestion = 600;
const optional =
  /^\(optional\)|^optional(?:[ \t]?[:：]| [\u2013\u2014-] )|\(optional\)|（可选）|[(（・]任意[)）]|\[optional\]/i;
const deferred =
  /^(?:\*\*|_)?deferred(?:\*\*|_)?(?:$|[:：.(]| [\u2013\u2014-]| (?:by|to|until|for)\b)|\[deferred\]|\(deferred\b/i;

/**
 * Why nobody is to do a task in this run, as its line says it.
 *
 * @param box Source from the character in the box to the title, as `~]` or ` ]*`.
 * @param block Source of the task from its title on.
 * @param starred Whether a star behind the id says that it is optional.
 */
export function asideOf(
  box: string,
  title: string,
  starred: boolean,
  block: string,
): "optional" | "deferred" | "person" | null {
  if (starred || box.includes("*") || optional.test(title)) return "optional";
  if (box.startsWith("~") || deferred.test(title)) return "deferred";
  const isQuestion = /\bcheckpoint\b/i.test(title) && /\bask the user\b/i.test(block.slice(0, longestQuestion));
  return isQuestion || person.some((said) => said.test(title)) ? "person" : null;
}
