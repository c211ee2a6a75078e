import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readPlanCheck } from "../../../markdown/read-plan-check.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Policy } from "../../../model/policy.ts";
import type { Task } from "../../../model/task.ts";
import { countOf } from "../../../model/text.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import type { RunOptions } from "../run-options.ts";

interface FoundCheck {
  readonly command: string;
  /** Name of the file that names the command. */
  readonly from: string;
}

const planFile = "tasks.md";

const most = 1_000_000;

/** Lock files with the command that runs scripts in their folder. */
const runners: readonly (readonly [string, string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
];

/**
 * Kinds of projects: a file name, and a function that finds the check in the text of that file (null without a check).
 */
const kinds: readonly (readonly [string, (text: string, files: ReadonlySet<string>) => string | null])[] = [
  ["package.json", fromScripts],
  ["Makefile", fromMakefile],
  ["pytest.ini", () => "pytest"],
  ["pyproject.toml", (text) => (/^\[tool\.pytest\b/m.test(text) ? "pytest" : null)],
  ["tox.ini", (text) => (/^\[pytest\]/m.test(text) ? "pytest" : null)],
  ["go.mod", () => "go test ./..."],
  ["Cargo.toml", () => "cargo test"],
  ["gradlew", () => "./gradlew test"],
];

/**
 * Find the command that checks a project. The sources are the commands below `Validation Commands` of the plan, or
 * else files at the top of the workspace: scripts of `package.json`, targets of a Makefile, and the settings of pytest,
 * Go, Cargo and Gradle. Runs nothing.
 *
 * If the plan is a change of OpenSpec and `openspec` is installed, the command also validates the change.
 *
 * @param workspace Absolute.
 * @param folder Folder of the plan, absolute.
 * @returns Null if no file names a check, or the folder cannot be read.
 */
export function findProjectCheck(workspace: string, folder = workspace): FoundCheck | null {
  const named = readPlanCheck(textOf(join(folder, planFile)) ?? "");
  const suite = named === null ? findSuite(workspace) : { command: named, from: planFile };
  const change = /[\\/]openspec[\\/]changes[\\/]([\w.-]+)$/.exec(folder)?.[1];
  if (change === undefined || !isOnPath("openspec")) return suite;
  const validate = { command: `openspec validate ${change} --strict`, from: "openspec" };
  if (suite === null) return validate;
  return { command: `${suite.command} && ${validate.command}`, from: `${suite.from}, with ${validate.from},` };
}

const isOnPath = (program: string): boolean =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((place) => place !== "")
    .map((place) => join(place, program))
    .some((path) => existsSync(path) && statSync(path).isFile());

function findSuite(workspace: string): FoundCheck | null {
  const files = new Set(namesIn(workspace));
  for (const [from, read] of kinds) {
    const text = files.has(from) ? textOf(join(workspace, from)) : null;
    const command = text === null ? null : read(text, files);
    if (command !== null) return { command, from };
  }
  return null;
}

/** Propose a check for open tasks without a Verify; null if there is no such task, or no check. */
export function proposeCheck(
  tasks: readonly Task[],
  workspace: string,
  folder: string,
): (FoundCheck & Pick<Policy, "checkEvery">) | null {
  const found = tasksToVerify(tasks).length === 0 ? null : findProjectCheck(workspace, folder);
  // The plan says what each task must leave green. If no task has a Verify, another check may be red within a phase.
  const isOfTask = found?.from.startsWith(planFile) === true || !isUnchecked(tasks);
  return found === null ? null : { ...found, checkEvery: isOfTask ? "task" : "phase" };
}

/**
 * Add the project check to the policy of a new run whose plan has no checks, if its owner has agreed to the check or
 * can be asked. The check is then the `verify` of the policy. It runs after each phase, or after each task if the plan
 * names it.
 *
 * @param agreed Commands that the owner has agreed to.
 */
export function withProjectCheck(
  origin: StartPoint,
  { tasks }: Pick<Plan, "tasks">,
  {
    options,
    agreed,
    workspace,
    folder,
  }: {
    readonly options: Pick<RunOptions, "policy" | "yes" | "confirm">;
    readonly agreed: readonly string[];
    readonly workspace: string;
    readonly folder: string;
  },
): StartPoint {
  const { policy, fresh } = origin;
  if (!fresh || policy.trustExecutor || policy.verify !== null || options.policy?.verify !== undefined) return origin;
  if (policy.finalVerify !== null || !isUnchecked(tasks)) return origin;
  const found = proposeCheck(tasks, workspace, folder);
  if (found === null) return origin;
  const { command, checkEvery } = found;
  const mayBeAsked = options.yes === true || options.confirm !== undefined;
  if (!mayBeAsked && !agreed.includes(command)) return origin;
  const checked = { ...policy, verify: command, checkEvery: options.policy?.checkEvery ?? checkEvery };
  return { ...origin, policy: checked, answeredUnder: checked };
}

/**
 * Describe the check that tasks without a Verify have, or could have.
 *
 * @returns Null if each open task has a Verify, or no command is found.
 */
export function announceProjectCheck(
  tasks: readonly Task[],
  { verify, checkEvery }: Pick<Policy, "verify" | "checkEvery">,
  {
    workspace,
    folder,
    address,
  }: { readonly workspace: string; readonly folder: string; readonly address: SpecAddress },
): string | null {
  const open = tasksToVerify(tasks);
  const found = proposeCheck(tasks, workspace, folder);
  if (found === null || (verify !== null && verify !== found.command)) return null;
  const { command, from, checkEvery: every } = found;
  const says = `${from} says that \`${command}\` checks this project`;
  const all = isUnchecked(tasks);
  if (verify !== null) {
    const off = commandLine(address, "run", { options: ["--verify", "off"] });
    return all
      ? `No task of the plan has a Verify; ${says}: it runs ${when[checkEvery]}. To run without it: ${off}`
      : null;
  }
  const tasksOpen = countOf(open.length, "open task has", "open tasks have");
  const run = commandLine(address, "run", { options: ["--verify", command] });
  const itself = all ? `. With your consent (\`--yes\`, or \`y\` on a terminal) a start runs it ${when[every]}` : "";
  return `${tasksOpen} no Verify; ${says}${itself}. To verify each task with it: ${run}`;
}

const when: Readonly<Record<Policy["checkEvery"], string>> = {
  task: "for each task",
  phase: "before the first task and after each phase",
  end: "before the first task and after the last",
};

export const tasksToVerify = (tasks: readonly Task[]): readonly Task[] =>
  tasks.filter(
    ({ done, fixOf, isGroup, aside, fields }) =>
      !done && fixOf === null && isGroup !== true && aside === undefined && fields.verify === undefined,
  );

export const isUnchecked = (tasks: readonly Task[]): boolean =>
  tasks.every(({ fields }) => fields.verify === undefined);

function fromScripts(text: string, files: ReadonlySet<string>): string | null {
  const test = scriptsIn(text)["test"];
  // Ignore the default script of npm for a new package.
  if (typeof test !== "string" || test.trim() === "" || /no test specified/.test(test)) return null;
  const runner = runners.find(([lock]) => files.has(lock))?.[1] ?? "npm";
  return `${runner} test`;
}

function scriptsIn(text: string): Record<string, unknown> {
  try {
    const { scripts } = (JSON.parse(text) ?? {}) as { readonly scripts?: unknown };
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
  } catch {
    return {};
  }
}

function fromMakefile(text: string): string | null {
  if (/^test[ \t]*:(?!=)/m.test(text)) return "make test";
  return /^check[ \t]*:(?!=)/m.test(text) ? "make check" : null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").slice(0, most);
  } catch {
    return null;
  }
}
