import type { FailureDigest } from "../model/failure.ts";
import type { FailedCheck } from "../model/failure-set.ts";
import { covers } from "../model/paths.ts";
import { clamp } from "../model/text.ts";

const looked = 4000;
const longestName = 100;

/** Tools that only start other tools and report their failure. */
const starters = new Set(["make", "npm", "node"]);

/** Messages which show that the machine is at fault, not the task. `name` is the first group of the expression. */
const signs: readonly (readonly [sign: RegExp, tell: (name: string) => string])[] = [
  [/\bENOSPC\b|no space left on device/i, () => "the disk is full"],
  [/\bENOMEM\b|cannot allocate memory|JavaScript heap out of memory/i, () => "the machine is out of memory"],
  [/\bEMFILE\b|\bENFILE\b|too many open files/i, () => "too many files are open"],
  [/\bspawn ([^\s:]{1,100}) ENOENT\b/, (name) => `the program ${name} is missing`],
  // Shell messages, with or without a line number.
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
 * Describe a problem of the environment: a missing program, no disk space, or failing checks in files that no task of
 * the plan names. The words are the same for every task. Null if there is no sign of such a problem.
 *
 * @param inPlan Paths in the `Files` and `Verify` fields of the plan's tasks.
 */
export function environmentOf({ failing, evidence }: FailureDigest, inPlan: () => readonly string[]): string | null {
  const command = evidence?.command ?? null;
  if (command === null) return null;
  const messages = command.failures.map(({ message }) => message);
  const printed = [command.head, command.tail.slice(-looked)];
  // Tests may print anything: if a tool reports the failures, only its report counts.
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
  return `checks fail in files that no task names: ${names.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * Whether a check is unrelated to the declared paths: neither inside one of them nor named after one, as `sum.test.js`
 * is named after `sum.js`.
 */
const lies = ({ file }: FailedCheck, declared: readonly string[]): boolean =>
  file !== null &&
  !declared.some((place) => covers(place, file) || file.endsWith(`/${place}`) || isNamedAfter(file, place));

/** Minimum number of letters of a file name that can relate two files. */
const shortestStem = 3;

function isNamedAfter(file: string, place: string): boolean {
  const base = baseOf(place);
  const end = base.indexOf(".");
  return end >= shortestStem && baseOf(file).includes(base.slice(0, end));
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
