import { makeTarget, settingOf } from "./makefile.ts";
import { squeezeFile } from "./source-text.ts";

/** Settings that make a tool run something else. */
const settings =
  /^\s*(?:export\s+)?(?:script-shell|node-options|if-present|workspaces?|include-workspace-root|shell|ignore-scripts|replace|toolchain|NODE_OPTIONS|NODE_PATH|PATH|GOFLAGS|PYTEST_ADDOPTS|PYTHONPATH|PYTHONSTARTUP|PYTHONOPTIMIZE|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|LD_PRELOAD|RUSTFLAGS|RUSTC_WRAPPER|CARGO_\w+|MAKEFLAGS|SHELL|BASH_ENV|ENV)\b/;
const placeholder = "no test specified";

/**
 * The part of a file that affects a command, for comparison.
 *
 * @param part `scripts.test` (JSON, two levels), `[tool.pytest` (section header start in TOML or INI), `check:`
 * (makefile target), `NAME=` (makefile variable), `test {` or `plugins [` (configuration block), `settings` (lines that
 * name what is run); null for the whole file.
 * @returns Empty if the file has no such part.
 */
export function configPart(path: string, part: string | null, text: string | null): string {
  if (text === null) return "";
  if (part === null) return squeezeFile(path, text);
  if (part === "settings")
    return lines(path, text)
      .filter((line) => settings.test(line))
      .join("\n");
  if (part.startsWith("[")) return sections(lines(path, text), part);
  if (part.endsWith(":")) return makeTarget(text, part.slice(0, -1));
  if (part.endsWith("=")) return settingOf(lines(path, text), part.slice(0, -1));
  if (part.endsWith("[")) return ownPlugins(squeezeFile(path, text), part.slice(0, -2));
  if (part.endsWith("{")) return block(squeezeFile(path, text), part.slice(0, -2), "{");
  return path.endsWith(".yaml") ? yamlList(text, part) : json(text, part);
}

/** The lines of a top-level list in YAML. */
function yamlList(text: string, name: string): string {
  const [, found = ""] = `\n${text}`.split(`\n${name}:`);
  // The list ends before the next line that neither belongs to an entry nor is empty.
  return (found.split(/\n(?=[^ \t\n-])/, 1)[0] as string).trim();
}

const lines = (path: string, text: string): string[] => squeezeFile(path, text).split("\n");

function json(text: string, part: string): string {
  const dot = part.indexOf(".");
  const keys = dot === -1 ? [part] : [part.slice(0, dot), part.slice(dot + 1)];
  try {
    const found = keys.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      parse(text),
    );
    const written = typeof found === "string" ? found.trim() : (JSON.stringify(found) ?? "");
    // Only a plain version is harmless: a path or an address may install another program.
    const isVersion = /^(?:devD|d)ependencies\./.test(part) && /^[\w^~<>=*. |-]*$/.test(written);
    return isVersion || written.includes(placeholder) ? "" : written;
  } catch {
    return text;
  }
}

const parse = (text: string): unknown => JSON.parse(text);

/** Cargo manifest keys that affect build and tests; the other keys of these sections are descriptive. */
const cargoKeys = /^\s*(?:auto\w+|build|exclude|default-members|test|harness|debug-assertions|overflow-checks)\s*=/;

function sections(all: readonly string[], head: string): string {
  let isIn = false;
  const inside = all.filter((line) => {
    if (/^\s*\[.*\]$/.test(line)) isIn = line.replaceAll('"', "").trim().startsWith(head);
    return isIn;
  });
  const isManifest = /^\[(?:package|workspace|\[bin|profile\.dev)/.test(head);
  return (isManifest ? inside.filter((line) => cargoKeys.test(line)) : inside).join("\n");
}

/**
 * The plugin list, if it has plugins of the workspace, which may change any code when it is loaded. Empty otherwise.
 */
function ownPlugins(text: string, name: string): string {
  const found = block(text, name, "[");
  const isOwn = /\b(?:transform|load|resolveId|enforce|configResolved)\b/.test(found) || /["']\.{1,2}\//.test(text);
  return isOwn ? found : "";
}

/** A block `name: { … }` or `name: [ … ]` of a squeezed text. */
function block(text: string, name: string, opening: string): string {
  const start = text.indexOf(`${name}:${opening}`);
  if (start === -1) return "";
  let depth = 0;
  for (const { index, 0: sign } of text.slice(start).matchAll(opening === "{" ? /[{}]/g : /[[\]]/g)) {
    depth += sign === opening ? 1 : -1;
    if (depth === 0) return text.slice(start, start + index + 1);
  }
  return text.slice(start);
}
