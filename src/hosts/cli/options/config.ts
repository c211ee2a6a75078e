import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Severities } from "../../../markdown/lint/apply-severities.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import {
  givesRight,
  limit,
  looksOnly,
  needsConsent,
  optionFacts,
  runsSomething,
  weakensCheck,
} from "../../../model/option-facts.ts";
import { Policy, PolicyValues } from "../../../model/policy.ts";
import { isTime, PullRequestPolicy, type PullRequestPolicyInput } from "../../../model/pull-request-policy.ts";
import { isRefused, levels, type Rule, rules } from "../../../model/rule.ts";
import { Rung } from "../../../model/rung.ts";
import type { WayOn } from "../../../model/way-on.ts";
import { toolNamed } from "../../node/executors/known-tools.ts";
import { argsOfTools } from "./executor-args.ts";
import { findJsonError } from "./find-json-error.ts";
import { checkRung } from "./parse-executor.ts";
import { durationForm, durationMs } from "./parse-value.ts";
import { forRoles, reporterNames, type Settings } from "./settings.ts";

const fileName = "fixpoint.config.json";
const limits = PolicyValues.shape;
const command = z.string().regex(/\S/, "expected a command");
const tool = z.string();
const duration = z.string(`expected ${durationForm}, in quotes`).transform((text, { issues }) => {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  issues.push({ code: "custom", message: `expected ${durationForm}`, input: text });
  return z.NEVER;
});

const ruleNames = Object.keys(rules) as Rule[];
const level = z.enum(levels, `expected one of ${levels.join(", ")}`);
const refused = z.literal("error", 'expected "error", since a run refuses such a plan');
const lint = z
  .strictObject(Object.fromEntries(ruleNames.map((rule) => [rule, isRefused(rule) ? refused : level])))
  .partial() as z.ZodType<Severities>;

/** Keys that are none of the policy, each with what it does. */
const others = {
  recoveryMode: z.boolean().register(optionFacts, limit()),
  repair: z.boolean().register(optionFacts, limit()),
  escalation: z.boolean().register(optionFacts, limit()),
  executor: z
    .union([tool, z.tuple([tool], tool)], "expected a name or a list of names")
    .register(optionFacts, runsSomething()),
  rungs: z.partialRecord(Rung, command.clone()).register(optionFacts, runsSomething()),
  exec: command.clone().register(optionFacts, runsSomething()),
  structuredClaim: z.boolean().register(optionFacts, weakensCheck()),
  ...forRoles(() => command.clone().register(optionFacts, runsSomething())),
  executorArgs: z.record(tool, z.string()).register(optionFacts, runsSomething()),
  cwd: z.string().min(1).register(optionFacts, givesRight()),
  shareWorkspace: z.boolean().register(optionFacts, weakensCheck()),
  notify: command.clone().register(optionFacts, runsSomething()),
  reporter: z.enum(reporterNames).register(optionFacts, looksOnly()),
  lint: lint.register(optionFacts, looksOnly()),
};

/** Every option that a file may set, with what it is. */
export const configOptions: Readonly<Record<string, z.ZodType>> = {
  ...limits,
  pullRequest: Policy.shape.pullRequest,
  ...others,
};

type FromPolicy = { [Name in keyof typeof limits]: ReturnType<(typeof limits)[Name]["removeDefault"]> };

/** Keys under the names of the policy: what is not given there is not set here, and a duration is a text. */
const fromPolicy = Object.fromEntries(
  Object.entries(limits).map(([name, option]) => [name, inFile(option)]),
) as unknown as FromPolicy;

/** The part of a pull request: what is not given there is not set here. */
const pullRequest = z
  .strictObject(
    Object.fromEntries(
      Object.entries(PullRequestPolicy.shape).map(([name, option]) => [
        name,
        isTime(name) ? duration.pipe(option.removeDefault() as z.ZodType<number, number>) : option.removeDefault(),
      ]),
    ),
  )
  .partial()
  .register(optionFacts, givesRight()) as unknown as z.ZodType<PullRequestPolicyInput>;

function inFile(option: (typeof limits)[keyof typeof limits]): z.ZodType {
  const value = option.removeDefault();
  if (optionFacts.get(option)?.flag?.flags.endsWith("<duration>") !== true) return value;
  return value.safeParse(null, interpreted).success ? duration.nullable() : duration;
}

/**
 * The keys of `fixpoint.config.json`: limits under the names of the policy, the rest as the option in camelCase.
 * `yes` is not among them: it is a person's consent to the commands of one plan.
 */
const ConfigFile = z
  .strictObject({
    ...fromPolicy,
    finalVerify: command.nullable(),
    permissions: z.enum(["tool", "edit"], "expected tool or edit"),
    pullRequest,
    ...others,
  })
  .partial();
type ConfigFile = z.infer<typeof ConfigFile>;

const configKeys: readonly string[] = Object.keys(ConfigFile.shape);
/** The keys that a part of it takes, where these are known. */
const keysUnder: Readonly<Record<string, readonly string[]>> = {
  lint: ruleNames,
  rungs: Rung.options,
  pullRequest: Object.keys(PullRequestPolicy.shape),
};

/** Settings and the folder of the file that gave them. */
export interface Config {
  readonly folder: string;
  readonly settings: Settings;
  /** The keys it sets that take consent, each with its value as it is shown. */
  readonly acting: Readonly<Record<string, string>>;
}

/**
 * The settings in `fixpoint.config.json` of the first of these folders that has one; null when none has.
 *
 * @throws {InputError} `config-not-json`, `config-unknown-key`, `config-bad-value`, `preset-unknown`
 * @throws {EnvironmentError} `config-unreadable`
 */
export async function readConfig(folders: readonly string[]): Promise<Config | null> {
  for (const folder of folders) {
    const file = join(folder, fileName);
    const text = await readIfThere(file);
    if (text === null) continue;
    const config = parseConfig(file, text);
    return { folder, settings: toSettings(file, config), acting: actingIn(config) };
  }
  return null;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    // A pipe or a device would be waited for.
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

function parseConfig(file: string, text: string): ConfigFile {
  const json = text.replace(/^\ufeff/, "");
  const offset = findJsonError(json);
  if (offset !== null) {
    const lines = json.slice(0, offset).split("\n");
    throw new InputError(
      `Cannot read \`${file}\`, expected JSON: error at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`,
      { code: "config-not-json", hint: "JSON has no comments and no comma before a closing bracket" },
    );
  }
  const parsed = ConfigFile.safeParse(JSON.parse(json), interpreted);
  if (parsed.success) return parsed.data;
  throw explain(file, parsed.error.issues, JSON.parse(json)?.permissions === "full");
}

/** @param givesAll Whether it allows tools everything, which only a person does. */
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
      ...(unknown === "yes" ? { ways: notInFile("agree to this plan", "--yes") } : { hint: `Correct ${fileName}` }),
    });
  }
  const { path, message } = issues[0] ?? { path: [], message: "expected an object" };
  const what = path.length === 0 ? `\`${file}\`` : `\`${path.join(".")}\` of \`${file}\``;
  return new InputError(`Cannot use ${what}, ${message.replace(/^[^:]*: /, "")}`, {
    code: "config-bad-value",
    ...(path[0] === "permissions" && givesAll
      ? { ways: notInFile("allow the tool everything", "--permissions", "full") }
      : { hint: `Correct ${fileName}` }),
  });
}

/** What a person says to one start, and no file for them. */
const notInFile = (act: string, ...words: string[]): readonly WayOn[] => [
  { say: `Take it out of ${fileName}, then ${act}`, words },
];

/** A value as it is shown to whoever is to agree to it. */
const shown = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value);

const actingIn = (config: ConfigFile): Config["acting"] =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => value !== undefined && needsConsent(configOptions[name]))
      .map(([name, value]) => [name, shown(value)]),
  );

function toSettings(file: string, config: ConfigFile): Settings {
  const { executor, rungs, exec, executorArgs, structuredClaim, cwd, shareWorkspace, notify, reporter, lint } = config;
  const { recoveryMode, repair, escalation } = config;
  const policy = Object.fromEntries(
    Object.entries(config).filter(([name]) => name in Policy.shape),
  ) as Settings["policy"];
  const ladder = Object.entries({ recoveryMode, repair, escalation }).filter(([, value]) => value !== undefined);
  const [choice] = ladder.map(([name]) => name);
  if (policy.recovery !== undefined && choice !== undefined) throw ambiguous(file, "recovery", choice);
  if (Array.isArray(executor) && executor.length > 1 && exec !== undefined) throw ambiguous(file, "executor", "exec");
  const names = (typeof executor === "string" ? [executor] : executor)?.map(toolNamed);
  const asked = rungs && Object.fromEntries(Object.entries(rungs).map(([rung, who]) => [rung, checkRung(who.trim())]));
  return {
    executor: names,
    ...(asked && { rungs: asked }),
    exec,
    executorArgs: executorArgs && argsOfTools(Object.entries(executorArgs)),
    structuredClaim,
    ...forRoles((name) => config[name]),
    cwd,
    shareWorkspace,
    notify,
    reporter,
    lint,
    policy,
    ...(ladder.length > 0 && { ladder: Object.fromEntries(ladder) }),
  };
}

const ambiguous = (file: string, one: string, other: string): InputError =>
  new InputError(`Cannot use both \`${one}\` and \`${other}\` of \`${file}\`, expected one of them`, {
    code: "config-bad-value",
  });
