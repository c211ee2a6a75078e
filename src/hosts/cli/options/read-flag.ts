import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { isDuration, type OptionFlag, option, optionFacts, switchOf } from "../../../model/option.ts";
import { interpreted } from "../../../model/parse-json.ts";
import { nearestName } from "../../../model/text.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { CliOption, OptionValues } from "../cli-command.ts";
import { parseAmount, parseCount, parseDuration, parseSize, parseText, parseTokens } from "./parse-value.ts";

export type Options = Readonly<Record<string, z.ZodType>>;

export type Given<Of extends Options> = { readonly [Name in keyof Of]?: z.output<Of[Name]> };

/** Declare an option of a command other than `run`. */
export const flag = <Schema extends z.ZodType>(
  schema: Schema,
  flags: string,
  summary: string,
  more: Omit<OptionFlag, "flags" | "summary"> = {},
): Schema => option(schema, "of one start", summary, { flags, summary, ...more });

export interface Flag extends CliOption {
  /** Key of the option's value in `OptionValues`. */
  readonly name: string;
  /** @throws {InputError} `bad-option`, `bad-number`, `bad-duration` */
  readonly read: (word: Word) => unknown;
}
type Word = NonNullable<OptionValues[string]>;

/** Build the flags of an option: none, one, or two if it has a `--no-` form. */
export function flagsOf(schema: z.ZodType): readonly Flag[] {
  const {
    flags,
    summary = "",
    details,
    basic,
    opposite,
    group,
    repeats,
    ...more
  } = optionFacts.get(schema)?.flag ?? {};
  if (flags === undefined) return [];
  const holds = flags.includes("<") ? (more.unset ?? shownDefault(schema)) : "";
  const each = { name: nameOf(switchOf(schema)), read: (word: Word) => readWord(schema, word) };
  const choices = choicesOf(schema);
  const given = { ...each, ...(group && { group }), ...(repeats && { repeats }), ...(choices && { choices }) };
  const help = { summary: holds === "" ? summary : `${summary} (default: ${holds})`, ...(details && { details }) };
  const shown = { ...given, flags, ...help, ...(basic && { basic }) };
  return opposite === undefined
    ? [shown]
    : [shown, { ...given, flags: flags.replace("--", "--no-"), summary: opposite }];
}

export const switchesOf = (options: Options): readonly Flag[] => Object.values(options).flatMap(flagsOf);

/** Key of a flag: `--max-cost` is `maxCost`. */
const nameOf = (flag: string): string => flag.slice(2).replace(/-./g, (letter) => letter.slice(1).toUpperCase());

export const readGiven = <Of extends Options>(options: Of, values: OptionValues): Given<Of> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, schema]) => {
      const word = values[flagsOf(schema)[0]?.name ?? ""];
      return word === undefined ? [] : [[name, readWord(schema, word)]];
    }),
  ) as Given<Of>;

function readWord(schema: z.ZodType, word: Word): unknown {
  const option = switchOf(schema);
  if (typeof word === "boolean") return word;
  const { flags = "", unit, words, repeats, suggests } = optionFacts.get(schema)?.flag ?? {};
  if (repeats || typeof word !== "string") return [word].flat().map((each) => parseText(option, each));
  if (word === "off" && mayBeOff(schema)) return null;
  if (words !== undefined) return words[oneOf(option, word, Object.keys(words))];
  const field = bare(schema);
  if (field instanceof z.ZodEnum) return oneOf(option, word, field.options.map(String), suggests);
  if (isDuration(schema)) return inRange(option, word, parseDuration(option, word), field as z.ZodNumber);
  const takes = unit === "tokens" ? unit : (/<(\w+)>$/.exec(flags)?.[1] ?? "");
  const parse = parsers[takes];
  if (parse !== undefined) return parse(option, word);
  return field instanceof z.ZodNumber
    ? parseCount(option, word, field.minValue ?? 0, field.maxValue ?? undefined)
    : fitting(option, parseText(option, word), field);
}

function fitting(option: string, text: string, schema: z.ZodType): string {
  const { error } = schema.safeParse(text, interpreted);
  if (error === undefined) return text;
  const [expected] = error.issues.map(({ message }) => message);
  throw new InputError(`Cannot use ${option} \`${text}\`, ${expected}`, { code: "bad-option" });
}

const mayBeOff = (schema: z.ZodType): boolean =>
  optionFacts.get(schema)?.flag?.mayBeOff ?? schema.safeParse(null, interpreted).success;

function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  const { choices, words } = optionFacts.get(schema)?.flag ?? {};
  const field = bare(schema);
  const named =
    choices ?? (words && Object.keys(words)) ?? (field instanceof z.ZodEnum ? field.options.map(String) : []);
  if (named.length === 0) return undefined;
  return mayBeOff(schema) && !named.includes("off") ? [...named, "off"] : named;
}

const parsers: Readonly<Record<string, (option: string, text: string) => number>> = {
  ...{ size: parseSize, usd: parseAmount, tokens: parseTokens },
};

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault) return bare(schema.removeDefault() as z.ZodType);
  return schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
}

function inRange(option: string, word: string, ms: number, { minValue, maxValue }: z.ZodNumber): number {
  if (ms >= (minValue ?? 0) && ms <= (maxValue ?? ms)) return ms;
  const expected = `a time from ${renderDuration(minValue ?? 0)} to ${renderDuration(maxValue ?? ms)}`;
  throw new InputError(`Cannot use ${option} \`${word}\`, expected ${expected}`, { code: "bad-option" });
}

function oneOf(option: string, word: string, words: readonly string[], suggests?: true): string {
  if (words.includes(word)) return word;
  const nearest = suggests && nearestName(word, words);
  const expected = words.length === 1 ? words[0] : `one of ${words.join(", ")}`;
  throw new InputError(`Cannot use ${option} \`${word}\`, expected ${expected}`, {
    code: "bad-option",
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
  });
}

function shownDefault(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodDefault)) return "";
  const value = schema.parse(undefined, interpreted);
  if (value === null || value === false) return "off";
  return isDuration(schema) ? renderDuration(value as number) : String(value);
}
