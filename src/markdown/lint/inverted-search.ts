import { type Pipeline, readCommandList, type SimpleCommand } from "./read-command-list.ts";

const searches = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack"]);
/** Programs that print what is there. */
const listers = new Set(["cat", "find", "git", "ls", "tree"]);
/** Options with which a search counts, inverts, or looks for what has no match; also in a group such as `-rnL`. */
const other = /^-[A-Za-z]{0,20}?[cvL]|^--(?:count|invert-match|files-without-match)/;

/** Sentences about the result of a search. */
const noResult =
  /\b(?:no|zero|0) (?:matches|results?|hits|occurrences|output|lines|references|usages|mentions)\b|\b(?:finds|returns|prints|outputs|shows) nothing\b|\b(?:empty|blank) output\b/i;
/** What stands before the name of something that is to be gone, and behind it. */
const before =
  /\b(?:no|without|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|eliminat(?:e|es|ed|ing)|purg(?:e|es|ed|ing)|not (?:contain|mention|use|import|include|reference|have)|no longer \w{1,40})[^,\w][^,]{0,50}$/i;
const behind =
  /^[^,]*?\b(?:(?:is|are|was|were|be|been) (?:removed|deleted|dropped|gone|absent|eliminated|purged)|gone|absent|not found|no longer|nowhere|(?:must|should|does|do|is|are|may)(?:n't| not) (?:appear|exist|remain|occur|be (?:there|found|used)|used|found|present|there))\b/i;
/** Characters on either side that are looked at. */
const looked = 50;

/**
 * The search by which a script exits with 0 when something is found, though the texts of its task say that nothing is to
 * be; null when it is not clear.
 *
 * @param about Texts of the task, and what is written around the command.
 */
export function invertedSearch(script: string, about: readonly string[]): string | null {
  const statements = readCommandList(script);
  const pipelines = statements?.flat() ?? [];
  if (pipelines.length !== 1) return null;
  const { commands, isNegated } = pipelines[0] as Pipeline;
  const { words } = commands.at(-1) as SimpleCommand;
  const [name = "", ...rest] = words[0] === "git" && words[1] === "grep" ? words.slice(1) : words;
  // What a program prints may well be searched for a failure.
  const isOfFiles = commands.length === 1 || listers.has((commands[0] as SimpleCommand).words[0] ?? "");
  if (isNegated || !isOfFiles || !searches.has(name) || rest.some((word) => other.test(word))) return null;
  const sought = soughtIn(rest);
  const says = (sentence: string): boolean => noResult.test(sentence) || (sought !== null && isGone(sought, sentence));
  return about.some((text) => sentencesOf(text).some(says)) ? words.join(" ") : null;
}

function isGone(sought: string, sentence: string): boolean {
  const at = sentence.toLowerCase().indexOf(sought);
  const end = at + sought.length;
  if (at === -1 || /\w/.test(sentence[end] ?? "")) return false;
  return before.test(sentence.slice(Math.max(0, at - looked), at)) || behind.test(sentence.slice(end, end + looked));
}

/** The longest word of the pattern, in small letters; null without one of some length. */
function soughtIn(words: readonly string[]): string | null {
  const at = words.findIndex((word) => word === "-e" || word === "--regexp");
  const pattern = at === -1 ? words.find((word) => !word.startsWith("-")) : words[at + 1];
  if (/\b(?:no|not|without)\b/i.test(pattern ?? "")) return null;
  const parts = (pattern ?? "").match(/[A-Za-z0-9]\w{2,}/g) ?? [];
  return parts.toSorted((one, another) => another.length - one.length)[0]?.toLowerCase() ?? null;
}

const sentencesOf = (text: string): string[] => text.split(/[.;!?](?:\s|$)|[\r\n]+|,? (?:and|but|while) /);
