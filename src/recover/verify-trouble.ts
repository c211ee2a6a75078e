import { doubtCommand } from "../model/doubtful-command.ts";
import type { CommandEnd } from "../model/evidence.ts";
import { clamp } from "../model/text.ts";

export interface FailedVerify {
  readonly command: string;
  readonly run: CommandEnd & { readonly stdout: string; readonly stderr: string };
  /** Names of this process's environment variables that are withheld from commands. */
  readonly withheld: readonly string[];
  /** Result of the command before the work; null if the command was not run before the work. */
  readonly before: Pick<CommandEnd, "exitCode" | "timedOut"> | null;
}

/** A problem of a Verify command itself, which no fix of the work can solve. */
export interface VerifyTrouble {
  /** The problem, in one sentence without a period. */
  readonly question: string;
  /** Advice, in one sentence without a period. */
  readonly hint: string;
  readonly variable?: string;
}

/**
 * Find a problem of the Verify command itself: it never ends, is prose, starts with a shell prompt, needs a withheld
 * variable, or searches for something that should be gone.
 *
 * @returns Null if there is no sign of a problem.
 */
export function verifyTrouble({ command, run, withheld, before }: FailedVerify): VerifyTrouble | null {
  if (run.exitCode === 0 && !run.timedOut) return null;
  return (
    writtenWrong(command) ??
    waiting(run) ??
    needing(command, run, withheld) ??
    (before === null ? null : inverted(command, run, before))
  );
}

const quoted = 120;
const quote = (command: string): string =>
  `\`${clamp(
    command
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .join(" "),
    quoted,
  )}\``;

function writtenWrong(command: string): VerifyTrouble | null {
  const doubt = doubtCommand(command);
  if (doubt === null) return null;
  const what = doubt.kind === "prose" ? "is a sentence, not a command" : "starts with a terminal prompt";
  const hint =
    doubt.meant === "" ? "Write a command, or remove the field" : `Write the command alone: ${quote(doubt.meant)}`;
  return { question: `its Verify ${what}: ${quote(command)}`, hint };
}

/** Messages of watchers and servers that wait. */
const waits: readonly RegExp[] = [
  /\bwatching for (?:file )?changes|\bwaiting for (?:file )?changes|\bwatching (?:files|paths?|for)\b|\bfile watcher|\bstarting compilation in watch mode/i,
  /\bpress (?:q|h|ctrl[-+]c|\w{1,10}) (?:\+ enter )?to (?:quit|stop|exit|show help)|\bwatch usage\b|\bcontrol-c to (?:quit|exit)|\bctrl[-+]c to (?:quit|stop|exit)/i,
  /\blistening (?:on|at)\b|\bserver (?:is )?(?:running|listening|started|ready)\b|\b(?:running|serving) (?:on|at|http)\b|\bready (?:in|on) \S+ ?(?:ms|s|http)|\bstarted server on\b/i,
  /^[^\w\n]{0,12}(?:local|network|on your network):[ \t]{1,9}https?:\/\//i,
];

function waiting({ timedOut, stdout, stderr }: FailedVerify["run"]): VerifyTrouble | null {
  if (!timedOut) return null;
  const line = `${stdout}\n${stderr}`.split(/[\r\n]+/).findLast((each) => waits.some((form) => form.test(each)));
  if (line === undefined) return null;
  return {
    question: `its Verify does not end by itself: ${clamp(line.trim(), quoted)}`,
    hint: "Write a command that runs once, or that starts the server, queries it and stops it",
  };
}

const isMissing =
  /\b(?:not|isn't|never) (?:been )?(?:set|defined|found|provided|configured|available|specified|present)\b|\b(?:missing|required|undefined|unset|unbound|empty|needed)\b|\b(?:must|should|has to|needs to) be (?:set|defined|provided)|\bKeyError\b|\bplease (?:set|export|provide|define)|\bparameter (?:null|not)\b|\bno (?:value|environment variable)\b|\bno such\b/i;

function needing(
  command: string,
  { stdout, stderr }: FailedVerify["run"],
  withheld: readonly string[],
): VerifyTrouble | null {
  if (withheld.length === 0) return null;
  const lines = `${stdout}\n${stderr}`.split(/[\r\n]+/);
  const names = new Set(withheld);
  const namesIn = (text: string): string[] => text.split(/\W+/).filter((word) => names.has(word));
  const said = lines.filter((line) => isMissing.test(line)).flatMap(namesIn);
  const read = (command.match(/\$\{?[A-Za-z_]\w*/g) ?? []).flatMap(namesIn);
  const name = said[0] ?? read[0];
  if (name === undefined) return null;
  return {
    question: `its Verify needs the variable ${name}, which is set here, but withheld from commands as a secret`,
    hint: `Pass the variable on: --pass-env ${name}`,
    variable: name,
  };
}

/** A search command, which may end a pipe. Its exit code tells whether it found something. */
const search = /^(?:git )?(?:grep|egrep|fgrep|rg|ag|ack)\s/;

function isSearch(command: string): boolean {
  const [first = "", second, ...more] = command.split("|").map((part) => part.trim());
  const isOne = !/[&;\n]/.test(command) && more.length === 0 && !first.startsWith("!") && second !== "";
  return isOne && search.test(second ?? first);
}

function inverted(
  command: string,
  { exitCode, timedOut, stdout, stderr }: FailedVerify["run"],
  before: NonNullable<FailedVerify["before"]>,
): VerifyTrouble | null {
  const foundNothing = exitCode === 1 && !timedOut && `${stdout}${stderr}`.trim() === "";
  if (!foundNothing || before.exitCode !== 0 || before.timedOut || !isSearch(command.trim())) return null;
  return {
    question: `its Verify found something before the work and finds nothing now: ${quote(command)}`,
    hint: `If that is what the task wants, write: \`! ${command.trim()}\``,
  };
}
