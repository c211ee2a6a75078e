import { squeezeFile } from "./source-text.ts";

interface Rule {
  readonly names: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
  /** Enclosing conditions and definitions of each line. */
  readonly places: string[];
}

const linesOf = (text: string): string[] => squeezeFile("Makefile", text.replace(/\\\n/g, " ")).split("\n");
const split = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const opens = /^\s*(?:ifn?def|ifn?eq|(?:override )?define)\b/;

/**
 * Lines, each with its enclosing conditions and definitions. Lines that only open or close a condition or definition
 * are omitted.
 */
function placed(text: string): readonly (readonly [line: string, place: string])[] {
  let place: readonly string[] = [];
  return linesOf(text).flatMap((line) => {
    if (opens.test(line)) place = [...place, line.trim()];
    else if (/^\s*else\b/.test(line)) place = [...place.slice(0, -1), `not ${place.at(-1)} ${line.trim()}`];
    else if (/^\s*(?:endif|endef)\b/.test(line)) place = place.slice(0, -1);
    else return [[line, place.join(" ")] as const];
    return [];
  });
}

/** Matches a rule, or a target-specific variable. */
const heads = [
  /^([^\t:=]+):{1,2}(?!=)()\s*(?:(?:export|override|private) )*[\w.-]+\s*[:?+]?=/,
  /^([^\t:=]+):{1,2}(?!=)([^=;]*)(?:;.*)?$/,
];

function rulesOf(lines: readonly (readonly [line: string, place: string])[]): readonly Rule[] {
  const rules: Rule[] = [];
  for (const [line, place] of lines) {
    const [, names, needs = ""] = heads.map((head) => head.exec(line)).find((found) => found !== null) ?? [];
    if (names !== undefined)
      rules.push({ names: split(names), needs: split(needs), lines: [line.trim()], places: [place] });
    else if (/^\s/.test(line)) {
      rules.at(-1)?.lines.push(line.trim());
      rules.at(-1)?.places.push(place);
    }
  }
  return rules;
}

function rulesFor(rules: readonly Rule[], target: string): readonly Rule[] {
  const wanted = new Set([target]);
  // `wanted` grows during the loop.
  for (const name of wanted) {
    for (const rule of rules.filter(({ names }) => names.includes(name)))
      for (const need of rule.needs) wanted.add(need);
  }
  return rules.filter(({ names }) => names.some((name) => wanted.has(name)));
}

export const firstTarget = (text: string): string =>
  rulesOf(placed(text))
    .flatMap(({ names }) => names)
    .find((name) => !name.startsWith(".")) ?? "";

/** Commands of a target, as a shell script. */
export function recipeOf(text: string, target: string): string {
  const lines = linesOf(text);
  const values = new Map(lines.map((line) => [setting.exec(line)?.[1], line.slice(line.indexOf("=") + 1).trim()]));
  const filled = (line: string): string =>
    line.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) =>
      name === "MAKE" ? "make" : (values.get(name) ?? whole),
    );
  return rulesFor(rulesOf(placed(text)), target)
    .flatMap(({ lines: [head = "", ...recipe] }) => [head.split(";").slice(1).join(";"), ...recipe])
    .map((line) => filled(filled(line.trim().replace(/^[@+-]+/, ""))))
    .join("\n");
}

const everywhere = "SHELL .SHELLFLAGS VPATH GPATH MAKEFLAGS PATH NODE_OPTIONS GOFLAGS PYTEST_ADDOPTS RUSTFLAGS".split(
  " ",
);
const setting = /^(?:export |override )?\s*([\w.-]+)\s*[:?+!]{0,2}=/;

/** The target and prerequisites that make would not run if a file of that name existed. */
export function idleTargets(text: string, target: string): readonly string[] {
  const rules = rulesOf(placed(text));
  const phony = new Set(rules.filter(({ names }) => names.includes(".PHONY")).flatMap(({ needs }) => needs));
  return rulesFor(rules, target).flatMap(({ names, lines: [, ...recipe] }) => {
    const makes = (name: string): boolean =>
      recipe.some((line) => split(line).some((word) => word.includes("$@") || word.replace(/^[>./]+/, "") === name));
    return names.filter((name) => !phony.has(name) && recipe.length > 0 && !makes(name));
  });
}

/** Variables that decide what the rules of a target run. */
export function variablesOf(text: string, target: string): readonly string[] {
  const recipes = rulesFor(rulesOf(placed(text)), target).flatMap((rule) => rule.lines);
  const used = [...recipes.join("\n").matchAll(/\$[({](?:\w+ )?([\w.-]+)/g)].map(([, name = ""]) => name);
  return [...new Set([...everywhere, ...used])];
}

export const settingOf = (lines: readonly string[], name: string): string =>
  lines.filter((line) => setting.exec(line)?.[1] === name).join("\n");

export const includedBy = (text: string): readonly string[] =>
  linesOf(text).flatMap((line) => split(/^[-s]?include\s{1,9}(\S.*)$/.exec(line)?.[1] ?? ""));

/**
 * Everything that decides the recipe of a target, as a text for comparison: rules, special targets, patterns and
 * variables.
 */
export function makeTarget(text: string, target: string): string {
  const lines = placed(text);
  const rules = rulesOf(lines);
  const own = rulesFor(rules, target);
  const special = rules.filter(({ names }) => names.some((name) => name.includes("%") || /^\.(?!PHONY)/.test(name)));
  const recipes = [...own, ...(own.length > 0 ? special : [])].flatMap((rule) => [...rule.lines, ...rule.places]);
  const isUsed = ([line, place]: readonly [string, string]): boolean => {
    const name = setting.exec(line)?.[1] ?? /\bdefine\s+([\w.-]+)/.exec(place)?.[1];
    // Exported variables reach every recipe.
    if (/^\s*(?:un)?export\b/.test(line)) return true;
    if (name === undefined) return /^[-s]?include\b|^vpath\b|^\$\((?:eval|call|foreach)\b/.test(line);
    return everywhere.includes(name) || recipes.some((recipe) => recipe.includes(name));
  };
  const used = lines.filter(isUsed).map(([line, place]) => `${place} ${line}`.trim());
  const general = rules.filter(({ names }) => names.some((name) => /^\.(?:IGNORE|ONESHELL|DEFAULT)$/.test(name)));
  if (own.length === 0) return general.flatMap((rule) => rule.lines).join("\n");
  return [...used, ...recipes].filter((line) => line !== "").join("\n");
}
