import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError, InputError, type WayOn } from "../../../model/errors.ts";
import { isDuration, needsConsent, optionFacts } from "../../../model/option.ts";
import { interpreted } from "../../../model/parse-json.ts";
import { Policy, type PolicyInput } from "../../../model/policy.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import { LadderChoices, Rung } from "../../../model/rung.ts";
import { nearestName } from "../../../model/text.ts";
import { toolNamed } from "../../node/executors/known-tools.ts";
import { ruleNames } from "../../node/start-options.ts";
import { argsOfTools, checkRung } from "./parse-executor.ts";
import { durationForm, durationMs } from "./parse-value.ts";
import type { Given } from "./read-flag.ts";
import { command, runOptions, type Settings } from "./settings.ts";

export const configName = "fixpoint.config.json";
const duration = z.string(`expected ${durationForm}, in quotes`).transform((text, { issues }) => {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  issues.push({ code: "custom", message: `expected ${durationForm}`, input: text });
  return z.NEVER;
});

/** Schema of an option in a config file: without its default, and with a duration as text. */
function inFile(option: z.ZodType): z.ZodType {
  const value = option instanceof z.ZodDefault ? (option.removeDefault() as z.ZodType) : option;
  if (!isDuration(option)) return value;
  const text = duration.pipe(value as z.ZodType<number | null, number>);
  return value.safeParse(null, interpreted).success ? text.nullable() : text;
}

const inFiles = (options: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, inFile(option)]));

const ofFiles = Object.fromEntries(
  Object.entries(runOptions).filter(([, option]) => optionFacts.get(option)?.kind !== "of one start"),
);

/**
 * Every option that a file may set: limits by their names in the policy, other options by their names in camelCase.
 * Options of a single start are excluded: `yes`, for example, is a person's consent to the commands of one plan.
 */
export const configOptions: Readonly<Record<string, z.ZodType>> = {
  ...Policy.shape,
  ...LadderChoices.shape,
  ...ofFiles,
};

type ConfigFile = PolicyInput & LadderChoices & Given<typeof runOptions>;
const ConfigFile = z
  .strictObject({
    ...inFiles(configOptions),
    finalVerify: command.nullable(),
    verify: command.nullable(),
    permissions: z.enum(["tool", "edit"], "expected tool or edit"),
    pullRequest: z.strictObject(inFiles(PullRequestPolicy.shape)).partial(),
  })
  .partial() as unknown as z.ZodType<ConfigFile>;

const configKeys = Object.keys(configOptions);
/** Allowed keys in an object below a key, if they are fixed. */
const keysUnder: Readonly<Record<string, readonly string[]>> = {
  lint: ruleNames,
  rungs: Rung.options,
  pullRequest: Object.keys(PullRequestPolicy.shape),
};

export interface Config {
  readonly folder: string;
  readonly settings: Settings;
  /** The settings that need consent, with their values as shown to the person. */
  readonly acting: Readonly<Record<string, string>>;
}

/**
 * Read `fixpoint.config.json` from the first of these folders that contains it; null if no folder does.
 *
 * @throws {InputError} `config-not-json`, `config-unknown-key`, `config-bad-value`, `preset-unknown`
 * @throws {EnvironmentError} `config-unreadable`
 */
export async function readConfig(folders: readonly string[]): Promise<Config | null> {
  for (const folder of folders) {
    const file = join(folder, configName);
    const text = await readIfThere(file);
    if (text === null) continue;
    const config = parseConfig(file, text);
    return { folder, settings: toSettings(file, config), acting: actingIn(config) };
  }
  return null;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    // Reading a pipe or a device would block.
    const found = await stat(file);
    if (!found.isFile()) throw new InputError(`Cannot read \`${file}\`, expected a file`, { code: "config-bad-value" });
    return await readFile(file, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (cause instanceof InputError) throw cause;
    throw new EnvironmentError(`Cannot read \`${file}\` (${String(code)})`, { code: "config-unreadable", cause });
  }
}

/**
 * Parse the text of a config file.
 *
 * @throws {InputError} `config-not-json`, `config-unknown-key`, `config-bad-value`
 */
export function parseConfig(file: string, text: string): ConfigFile {
  const value = parseJson(file, text.replace(/^\ufeff/, ""));
  const parsed = ConfigFile.safeParse(value, interpreted);
  if (parsed.success) return parsed.data;
  throw explain(file, parsed.error.issues, (value as { permissions?: unknown } | null)?.permissions === "full");
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`Cannot read \`${file}\`, expected JSON: ${(cause as Error).message}`, {
      ...{ code: "config-not-json", cause },
      hint: "JSON has no comments and no comma before a closing bracket",
    });
  }
}

/** @param givesAll Whether the file sets `permissions` to `full`, which is only allowed on the command line. */
function explain(file: string, issues: readonly z.core.$ZodIssue[], givesAll: boolean): InputError {
  const stranger = issues.find((issue) => issue.code === "unrecognized_keys");
  const [unknown] = stranger?.keys ?? [];
  if (unknown !== undefined) {
    const [part] = stranger?.path ?? [];
    const known = keysUnder[String(part)] ?? configKeys;
    const nearest = nearestName(unknown, known);
    const expected = nearest === undefined ? `one of ${known.join(", ")}` : `\`${nearest}\``;
    const what = `${part === "lint" ? "rule" : "key"} \`${unknown}\`${part === undefined ? "" : ` under \`${String(part)}\``}`;
    return new InputError(`Cannot use ${what} of \`${file}\`, expected ${expected}`, {
      code: "config-unknown-key",
      ...(unknown === "yes" ? { ways: notInFile("agree to this plan", "--yes") } : { hint: `Correct ${configName}` }),
    });
  }
  const { path, message } = issues[0] ?? { path: [], message: "expected an object" };
  const what = path.length === 0 ? `\`${file}\`` : `\`${path.join(".")}\` of \`${file}\``;
  return new InputError(`Cannot use ${what}, ${message.replace(/^[^:]*: /, "")}`, {
    code: "config-bad-value",
    ...(path[0] === "permissions" && givesAll
      ? { ways: notInFile("allow the tool to do everything", "--permissions", "full") }
      : { hint: `Correct ${configName}` }),
  });
}

const notInFile = (act: string, ...words: string[]): readonly WayOn[] => [
  { say: `Remove the key from ${configName}, then ${act}`, words },
];

/** Render a value for the question of consent. */
const shown = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value);

const actingIn = (config: ConfigFile): Config["acting"] =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => value !== undefined && needsConsent(configOptions[name]))
      .map(([name, value]) => [name, shown(value)]),
  );

function toSettings(file: string, config: ConfigFile): Settings {
  const [policy, ladder] = [pick(config, Policy.shape), pick(config, LadderChoices.shape)];
  const { executor, rungs, executorArgs, ...settings } = pick(config, ofFiles) as Given<typeof runOptions>;
  const [choice] = Object.keys(ladder);
  if (config.recovery !== undefined && choice !== undefined) throw ambiguous(file, "recovery", choice);
  if (typeof executor === "object" && executor.length > 1 && settings.exec !== undefined) {
    throw ambiguous(file, "executor", "exec");
  }
  const asked = Object.entries(rungs ?? {}).map(([rung, who]) => [rung, checkRung(who.trim())]);
  return {
    ...settings,
    ...(executor !== undefined && { executor: [executor].flat().map(toolNamed) }),
    ...(rungs && { rungs: Object.fromEntries(asked) }),
    ...(executorArgs && { executorArgs: argsOfTools(Object.entries(executorArgs)) }),
    policy,
    ...(choice !== undefined && { ladder }),
  };
}

const pick = (config: ConfigFile, options: object): object =>
  Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(options, name)));

const ambiguous = (file: string, one: string, other: string): InputError =>
  new InputError(`Cannot use both \`${one}\` and \`${other}\` of \`${file}\`, expected one of them`, {
    code: "config-bad-value",
  });
