import type { FailureDigest } from "../model/failure.ts";
import type { FailedCheck } from "../model/failure-set.ts";
import { covers } from "../model/paths.ts";
import { clamp } from "../model/text.ts";

/** Characters of an output's end that are looked at, and code points of a name that are told. */
const looked = 4000;
const longestName = 100;

/** Tools that start others, and say only that those have failed. */
const starters = new Set(["make", "npm", "node"]);

/** What says that a machine, not a task, is at fault; a name where the message has one. */
const signs: readonly (readonly [sign: RegExp, tell: (name: string) => string])[] = [
  [/\bENOSPC\b|no space left on device/i, () => "no space is left on the device"],
  [/\bENOMEM\b|cannot allocate memory|JavaScript heap out of memory/i, () => "memory is used up"],
  [/\bEMFILE\b|\bENFILE\b|too many open files/i, () => "too many files are open"],
  [/\bspawn ([^\s:]{1,100}) ENOENT\b/, (name) => `the program ${name} is missing`],
  // As a shell says it, with the number of the line or without.
  [
    /^(?:[\w./-]{1,100}: (?:line )?\d{1,6}|(?:[\w./-]{0,100}\/)?(?:ba|da|k|z)?sh): ([\w.+/-]{1,100}): (?:command )?not found$/m,
    (name) => `the program ${name} is missing`,
  ],
  [
    /^g?make(?:\[\d{1,4}\])?: ([\w.+/-]{1,100}): (?:Command not found|No such file or directory)$/m,
    (name) => `the program ${name} is missing`,
  ],
  [/^\S{0,200}python[\d.]{0,8}: No module named ([\w.]{1,100})$/m, (name) => `the module ${name} is missing`],
  [
    /^env: ['\u2018]?([\w.+/-]{1,100})['\u2019]?: No such file or directory$/m,
    (name) => `the program ${name} is missing`,
  ],
];

/**
 * What is wrong with the environment rather than with the task, in plain words that are the same for every task it
 * meets; null where nothing says so: a program that is missing, no space, or checks that fail in files which no task
 * of the plan is about.
 *
 * @param inPlan Paths that the tasks of the plan name in their Files and their Verify.
 */
export function environmentOf({ failing, evidence }: FailureDigest, inPlan: () => readonly string[]): string | null {
  const command = evidence?.command ?? null;
  if (command === null) return null;
  const messages = command.failures.map(({ message }) => message);
  const printed = [command.head, command.tail.slice(-looked)];
  // Tests print what they like: where a tool has told what failed, only that counts.
  const isTold = command.source === "tools" && command.failures.some(({ tool }) => !starters.has(tool));
  const said = (isTold ? messages : [...messages, ...printed]).join("\n");
  for (const [sign, tell] of signs) {
    const found = sign.exec(said);
    if (found !== null) return tell(clamp(found[1] ?? "", longestName));
  }
  if (failing?.ids == null || !isTold) return null;
  const declared = inPlan();
  if (declared.length === 0) return null;
  const isOutside =
    command.failures.length === failing.count && command.failures.every((check) => lies(check, declared));
  const output = [...messages, ...printed].join("\n");
  const isMentioned = declared.some((place) => baseOf(place).includes(".") && output.includes(place));
  if (!isOutside || isMentioned) return null;
  const names = command.failures.slice(0, 3).map(({ id }) => clamp(id, longestName));
  const more = failing.count - names.length;
  return `checks fail in files that no task is about: ${names.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether a check is about none of these places: it is not in one, nor named after one, as `sum.test.js` is. */
const lies = ({ file }: FailedCheck, declared: readonly string[]): boolean =>
  file !== null &&
  !declared.some((place) => covers(place, file) || file.endsWith(`/${place}`) || isNamedAfter(file, place));

/** Letters that a name has at least which says what another file is about. */
const shortestStem = 3;

function isNamedAfter(file: string, place: string): boolean {
  const base = baseOf(place);
  const end = base.indexOf(".");
  return end >= shortestStem && baseOf(file).includes(base.slice(0, end));
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
