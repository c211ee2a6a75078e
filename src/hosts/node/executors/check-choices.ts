import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { Role } from "../../../model/role.ts";
import { Rung } from "../../../model/rung.ts";
import type { RunOptions } from "../run-options.ts";

const names: readonly string[] = [...Role.options, "rungs"];

/**
 * Check the form of the executors that a program gives: its compiler may not have checked types.
 *
 * @throws {InputError} `no-executor`, `executor-invalid`
 */
export function checkChoices(choices: RunOptions["executors"] | undefined): void {
  const given = choices ?? {};
  if (!isRecord(given)) throw invalid("executors", given, "an object such as `{ executor: … }`");
  refuseStrangers("executors", given, names);
  const { executor, rungs = {}, ...others } = given;
  if (executor === undefined || executor === null) {
    throw new InputError("Cannot run without an executor, expected `executors.executor`", {
      code: "no-executor",
      hint: 'Give a function, a command line or a known tool: executors: { executor: { preset: "claude" } }',
    });
  }
  if (!isRecord(rungs)) throw invalid("executors.rungs", rungs, "an object such as `{ fix: … }`");
  refuseStrangers("executors.rungs", rungs, Rung.options);
  const chains = [
    ...Object.entries({ executor, ...others }).map(([role, choice]) => [`executors.${role}`, choice] as const),
    ...Object.entries(rungs).map(([rung, choice]) => [`executors.rungs.${rung}`, choice] as const),
  ];
  for (const [where, choice] of chains) if (choice !== undefined) checkChoice(where, choice);
}

function checkChoice(where: string, choice: unknown): void {
  if (!Array.isArray(choice)) {
    checkOption(where, choice);
    return;
  }
  if (choice.length === 0) {
    throw new InputError(`Cannot run with an empty \`${where}\`, expected at least one executor`, {
      code: "no-executor",
    });
  }
  for (const [index, option] of choice.entries()) checkOption(`${where}[${index}]`, option);
}

function checkOption(where: string, option: unknown): void {
  if (typeof option === "function" || typeof option === "string") return;
  const expected = 'a function, a command line, or a known tool such as `{ preset: "claude" }`';
  if (!isRecord(option) || typeof option["preset"] !== "string") throw invalid(where, option, expected);
  for (const name of ["command", "args"]) {
    const value = option[name];
    if (value !== undefined && typeof value !== "string") throw invalid(`${where}.${name}`, value, "a text");
  }
}

function refuseStrangers(where: string, given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const nearest = nearestName(stranger, known);
  throw new InputError(`Cannot use \`${where}.${stranger}\`, expected one of ${known.join(", ")}`, {
    code: "executor-invalid",
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
  });
}

const invalid = (where: string, value: unknown, expected: string): InputError =>
  new InputError(`Cannot use \`${where}\`, which is ${tell(value)}, expected ${expected}`, {
    code: "executor-invalid",
  });

function tell(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object without a `preset`" : `a ${typeof value}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
