import { squeezeFile } from "./source-text.ts";

interface Rule {
  readonly names: readonly string[];
  readonly needs: readonly string[];
  readonly lines: string[];
}

const linesOf = (text: string): string[] => squeezeFile("Makefile", text.replace(/\\\n/g, " ")).split("\n");
const split = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

function rulesOf(lines: readonly string[]): readonly Rule[] {
  const rules: Rule[] = [];
  for (const line of lines) {
    const [, names, needs] = /^([^\t:=]+):{1,2}(?!=)([^=;]*)(?:;.*)?$/.exec(line) ?? [];
    if (names !== undefined && needs !== undefined) {
      rules.push({ names: split(names), needs: split(needs), lines: [line.trim()] });
    } else if (/^\s/.test(line)) rules.at(-1)?.lines.push(line.trim());
  }
  return rules;
}

/** Rules of a target and of all that it needs. */
function rulesFor(rules: readonly Rule[], target: string): readonly Rule[] {
  const wanted = new Set([target]);
  // A set grows while it is walked.
  for (const name of wanted) {
    for (const rule of rules.filter(({ names }) => names.includes(name)))
      for (const need of rule.needs) wanted.add(need);
  }
  return rules.filter(({ names }) => names.some((name) => wanted.has(name)));
}

/** Target that is made if none is named. */
export const firstTarget = (text: string): string =>
  rulesOf(linesOf(text))
    .flatMap(({ names }) => names)
    .find((name) => !name.startsWith(".")) ?? "";

/** Commands by which a target is made, as a shell script. */
export function recipeOf(text: string, target: string): string {
  const lines = linesOf(text);
  const values = new Map(lines.map((line) => [setting.exec(line)?.[1], line.slice(line.indexOf("=") + 1).trim()]));
  const filled = (line: string): string =>
    line.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) =>
      name === "MAKE" ? "make" : (values.get(name) ?? whole),
    );
  return rulesFor(rulesOf(lines), target)
    .flatMap(({ lines: [head = "", ...recipe] }) => [head.split(";").slice(1).join(";"), ...recipe])
    .map((line) => filled(filled(line.trim().replace(/^[@+-]+/, ""))))
    .join("\n");
}

const forAll = /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|PATH|NODE_OPTIONS|GOFLAGS|PYTEST_ADDOPTS|RUSTFLAGS)$/;
const setting = /^(?:export |override )?\s*([\w.-]+)\s*[:?+]?=/;

/** What a target is made by, for comparison: its rules, special targets and patterns, and the variables in them. */
export function makeTarget(text: string, target: string): string {
  const lines = linesOf(text);
  const rules = rulesOf(lines);
  const own = rulesFor(rules, target);
  const special = rules.filter(({ names }) => names.some((name) => name.includes("%") || /^\.(?!PHONY)/.test(name)));
  const recipes = [...own, ...(own.length > 0 ? special : [])].flatMap((rule) => rule.lines);
  const isUsed = (line: string): boolean => {
    const name = setting.exec(line)?.[1];
    if (name === undefined) return /^[-s]?include\b/.test(line);
    return forAll.test(name) || recipes.some((recipe) => recipe.includes(name));
  };
  return own.length === 0 ? "" : [...lines.filter(isUsed), ...recipes].join("\n");
}
