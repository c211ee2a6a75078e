import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, it } from "vitest";
import type { OptionValues } from "../../../../src/hosts/cli/cli-command.ts";
import { configOptions, readConfig } from "../../../../src/hosts/cli/options/config.ts";
import { mergeSettings } from "../../../../src/hosts/cli/options/merge-settings.ts";
import { readRunFlags, runFlags } from "../../../../src/hosts/cli/options/run-flags.ts";
import { FixpointError } from "../../../../src/model/errors.ts";
import { optionFacts } from "../../../../src/model/option.ts";
import { callCli } from "../call-cli.ts";

// Tables with the effect of each flag and each config key. `vitest -u` with this file updates the tables.

const folder = mkdtempSync(join(tmpdir(), "fixpoint-tables-"));
afterAll(() => rmSync(folder, { recursive: true }));

const lines = (rows: readonly string[]): string => rows.map((row) => `${row}\n`).join("");

function outcomes<Given>(given: readonly Given[], act: (one: Given) => object): string[] {
  const groups = new Map<string, string[]>();
  for (const one of given) {
    const outcome = JSON.stringify(sorted(act(one)))
      .replaceAll(folder, "<spec>")
      .replaceAll(`:${JSON.stringify(one)}`, ":=");
    groups.set(outcome, [...(groups.get(outcome) ?? []), JSON.stringify(one)]);
  }
  return [...groups].map(([outcome, all]) => `  ${all.join(" ")}\n    -> ${outcome}`);
}

const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
};

function refusal(error: unknown, typed: unknown): object {
  if (!(error instanceof FixpointError)) throw error;
  const { code, message, hint } = error;
  return { refused: code, message: message.replace(`\`${String(typed)}\``, "…"), ...(hint !== undefined && { hint }) };
}

it("has the help of every command", async () => {
  const { out } = await callCli(folder, ["--help"]);
  const commands = [...out.matchAll(/^ {2}([a-z-]+) (?:\[options\] )?[[<]/gm)].map(([, name = ""]) => name);
  const pages = [out];
  for (const command of commands.filter((name) => name !== "help")) {
    const { out: help } = await callCli(folder, [command, "--help"]);
    pages.push(help, ...(help.includes("--help-all") ? [(await callCli(folder, [command, "--help-all"])).out] : []));
  }
  await expect(pages.join("\n----\n\n")).toMatchFileSnapshot("tables/help.txt");
});

it("has every flag of a run", async () => {
  const words = ["", " ", "off", "0", "1", "2.5", "999", "1000", "200k", "10g", "20s", "90s", "30m", "49h", "999h"];
  const names = ["tool", "spec", "all", "required", "own", "merge", "plain", "claude", "fix: codex", "claude: --x y"];
  const rows = runFlags.flatMap(({ flags, group, repeats }) => {
    const [option = "", takes] = flags.split(" ");
    const name = option.replace(/^--(no-)?/, "").replace(/-./g, (letter) => letter.slice(1).toUpperCase());
    const beside: OptionValues = group === "Pull request" ? { pullRequest: true } : {};
    const given = takes === undefined ? [!option.startsWith("--no-")] : [...words, ...names];
    const act = (word: string | boolean): object => {
      try {
        return readRunFlags({ ...beside, [name]: repeats && typeof word === "string" ? [word] : word });
      } catch (error) {
        return refusal(error, word);
      }
    };
    return [`${flags}${repeats ? " (repeats)" : ""}`, ...outcomes(given, act)];
  });
  await expect(lines(rows)).toMatchFileSnapshot("tables/flags.txt");
});

it("has every key of the config file", async () => {
  const simple = [null, true, false, 0, 1, 2.5, 1000, 60_000, "", " ", "off", "20s", "90s", "49h", "999h"];
  const names = ["tool", "edit", "full", "spec", "all", "required", "own", "merge", "plain", "claude", "agent -p"];
  const lists = [[], ["claude", "codex"], ["fix"], ["retry", "pivot"], ["fix", "fix"]];
  const objects = [{}, { fix: "codex" }, { claude: "--x y" }, { "no-verify": "off" }, { "no-tasks": "off" }];
  const shipping = [{ draft: true, maxTime: "2h", trustedReviewers: ["bot"], number: 7 }, { maxTime: 5 }];
  const given = [...simple, ...names, ...lists, ...objects, ...shipping];
  const rows: string[] = [];
  for (const name of [...Object.keys(configOptions), "yes"]) {
    const found = new Map<unknown, object>();
    for (const value of given) found.set(value, await inFile(name, value));
    const option = configOptions[name];
    const kind = option && optionFacts.get(option)?.kind;
    rows.push(`${name} (${kind})`, ...outcomes(given, (value) => found.get(value) ?? {}));
  }
  await expect(lines(rows)).toMatchFileSnapshot("tables/config.txt");
});

const unset: Readonly<Record<string, unknown>> = { ...mergeSettings({ executor: ["claude"], policy: {} }, null, "/w") };

async function inFile(name: string, value: unknown): Promise<object> {
  writeFileSync(join(folder, "fixpoint.config.json"), JSON.stringify({ [name]: value }));
  try {
    const config = await readConfig([folder]);
    const executor = name === "executor" || name === "exec" ? {} : { executor: ["claude"] };
    const merged = Object.entries(mergeSettings({ ...executor, policy: {} }, config, "/w"));
    const changed = merged.filter(([part, set]) => !isDeepStrictEqual(set, unset[part]));
    const { lint } = config?.settings ?? {};
    return { ...Object.fromEntries(changed), ...(lint && { lint }) };
  } catch (error) {
    return refusal(error, value);
  }
}
