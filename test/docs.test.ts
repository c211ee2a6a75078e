import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { charts } from "../machines/charts.ts";
import { sources as doorSources } from "../scripts/bundle.mjs";
import { presets } from "../src/adapters/presets/presets.ts";
import { diagram } from "../src/hosts/cli/commands/diagram.ts";
import { exportRun } from "../src/hosts/cli/commands/export.ts";
import { submit, worker } from "../src/hosts/cli/commands/fleet.ts";
import { init } from "../src/hosts/cli/commands/init.ts";
import { install } from "../src/hosts/cli/commands/install.ts";
import { lint } from "../src/hosts/cli/commands/lint.ts";
import { logs } from "../src/hosts/cli/commands/logs.ts";
import { mcp } from "../src/hosts/cli/commands/mcp.ts";
import { report } from "../src/hosts/cli/commands/next.ts";
import { resume, run } from "../src/hosts/cli/commands/run.ts";
import { say } from "../src/hosts/cli/commands/say.ts";
import { readConfig } from "../src/hosts/cli/options/config.ts";
import { readPrompt } from "../src/hosts/node/reading/read-prompt.ts";
import { dialectRows } from "../src/markdown/dialects/dialect-rows.ts";
import { dialects } from "../src/markdown/dialects/dialects.ts";
import { effects } from "../src/model/effect.ts";
import { exitCodes, RunEvent } from "../src/model/event.ts";
import { Layer } from "../src/model/evidence.ts";
import { ExecutionState } from "../src/model/execution-state.ts";
import { Limit } from "../src/model/limits.ts";
import { optionFacts } from "../src/model/option.ts";
import { Policy } from "../src/model/policy.ts";
import { rules } from "../src/model/rule.ts";
import { LadderChoices } from "../src/model/rung.ts";
import { toJsonSchema } from "../src/model/to-json-schema.ts";
import { claimSchema } from "../src/parse/claim.ts";
import { leanChart } from "../src/runtime/lean-chart.ts";
import { toMermaid } from "../src/runtime/to-mermaid.ts";
import { explainDenial } from "../src/wording/explain-denial.ts";
import { renderDuration } from "../src/wording/render-time.ts";
import { ruleTexts } from "../src/wording/rule-texts.ts";
import { temporaryFolder } from "./support/folder.ts";
import { recordKinds } from "./support/record-kinds.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

const pages = ["README.md", "CHANGELOG.md", "examples/demo/README.md", ...filesIn("docs", ".md")];
const sources = ["src", "machines"].flatMap((folder) => filesIn(folder, ".ts"));
const code = sources.map(read).join("\0");
const written = read("docs/errors.md");

const all = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, found]) => found ?? ""))].sort();
const absent = (page: string, names: readonly string[]): string[] =>
  names.filter((name) => !read(page).includes(`\`${name}\``));

interface Generator {
  readonly generateFiles: (built: object) => Record<string, string>;
  readonly readPrompts: (read: typeof readPrompt) => Promise<Record<string, string>>;
}

describe("the generated parts", () => {
  it("match the code", async () => {
    const generator = pathToFileURL(join(root, "scripts/generate.mjs")).href;
    const { generateFiles, readPrompts }: Generator = await import(generator);
    const prompts = await readPrompts(readPrompt);
    const built = {
      charts,
      claimSchema,
      dialectRows,
      dialects,
      effects,
      explainDenial,
      leanChart,
      Limit,
      Policy,
      prompts,
      RunEvent,
      rules,
      ruleTexts,
    };
    const files = generateFiles({ ...built, optionFacts, renderDuration, LadderChoices, toJsonSchema, toMermaid });
    for (const [path, text] of Object.entries(files)) expect(read(path), path).toBe(text);
  });

  it("have a value in every message of a limit", () => {
    expect(read("docs/limits.md").match(/.*\b(?:NaN|undefined)\w*.*/g)).toBe(null);
  });
});

describe("the documentation", () => {
  it("links to existing files and headings", () => {
    const broken = pages.flatMap((page) =>
      all(read(page), /\]\(([^)\s]+)\)/g)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = "", heading] = link.split("#");
          const target = path === "" ? page : join(dirname(page), path);
          if (!existsSync(join(root, target))) return true;
          return heading !== undefined && !anchors(read(target)).includes(heading);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("has every page that the code refers to", () => {
    expect(all(code, /\b(docs\/[a-z-]+\.md)/g).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("is linked from the README page by page", () => {
    expect(filesIn("docs", ".md").filter((path) => !read("README.md").includes(`(${path}`))).toEqual([]);
  });

  it("explains every name that can be imported", async () => {
    const doors = Object.values(doorSources).map((source) => join(root, `${source}.ts`));
    const names = await Promise.all(doors.map(async (door) => Object.keys(await import(door))));
    expect(names.flat().length).toBeGreaterThan(50);
    const page = read("docs/api.md").replace(/^```[\s\S]*?^```/gm, "");
    expect(names.flat().filter((name) => !all(page, /`(\w+)/g).includes(name))).toEqual([]);
  });

  it("names existing options", () => {
    const options = [
      ...run.options,
      ...resume.options,
      ...logs.options,
      ...diagram.options,
      ...exportRun.options,
      ...say.options,
      ...init.options,
      ...lint.options,
      ...mcp.options,
      ...submit.options,
      ...worker.options,
      ...install.options,
      ...report.options,
    ].map(({ flags }) => flags.split(" ")[0] ?? "");
    const known = new Set([...options, "--json", "--help", "--help-all", "--version"]);
    const ours =
      /`(--[a-z][a-z-]*)|fixpoint (?:run|resume|pause|stop|status|why|logs|lint|clean|reset) [^`\n]*?(--[a-z][a-z-]*)/g;
    const named = pages.flatMap((page) =>
      [...ownLines(page).matchAll(ours)].map(([, one, other]) => one ?? other ?? ""),
    );
    expect(named.filter((option) => !known.has(option))).toEqual([]);
  });

  it("lists every error code, and no other", () => {
    const thrown = all(code, /code: "([a-z]+(?:-[a-z]+)+)"/g);
    const announced = all(code, /@throws(.*)/g).flatMap((line) => all(line, /`([a-z]+(?:-[a-z]+)+)`/g));
    expect(all(written, /^\| `([a-z-]+)` \|/gm)).toEqual([...new Set([...thrown, ...announced])].sort());
  });

  it("puts every error code under its class", () => {
    for (const section of written.split("\n## ").slice(1)) {
      const name = /\(`(\w+)`\)/.exec(section)?.[1];
      for (const listed of all(section, /^\| `([a-z-]+)` \|/gm)) {
        const thrower = new RegExp(`new (\\w+Error)\\((?:(?!new \\w+Error\\()[^\\0])*?code: "${listed}"`);
        // The codes of `GateError` are listed in the section of `InputError`.
        const found = (thrower.exec(code)?.[1] ?? name)?.replace("GateError", "InputError");
        expect(`${listed} ${found}`).toBe(`${listed} ${name}`);
      }
    }
  });

  it.each(["docs/house.md", "docs/glossary.md"])("names existing files: %s", (page) => {
    const named = all(read(page), /`((?:src|machines|scripts|test)\/[^`]+)`/g);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("names every room of the house", () => {
    const rooms = all(sources.join("\n"), /^((?:src\/hosts\/|src\/)?[a-z]+)\/[a-z-]+/gm);
    expect(
      absent(
        "docs/house.md",
        rooms.filter((room) => !["src", "src/hosts"].includes(room)),
      ),
    ).toEqual([]);
  });

  it("describes everything that is read, written and printed", async () => {
    const types = (options: readonly { shape: { type: { value: string } } }[]) =>
      options.map(({ shape }) => shape.type.value);
    expect(absent("docs/formats.md", types(RunEvent.options))).toEqual([]);
    expect(absent("docs/formats.md", recordKinds())).toEqual([]);
    expect(absent("docs/formats.md", Object.keys(ExecutionState.shape))).toEqual([]);
    // `docs/limits.md` lists the keys of the policy.
    const keys = (await configKeys()).filter((key) => key === "pullRequest" || !(key in Policy.shape));
    expect(absent("docs/formats.md", keys)).toEqual([]);
    expect(absent("docs/formats.md", all(code, /\brule: "([a-z-]+)"/g))).toEqual([]);
    expect(absent("docs/xstate.md", Object.keys(effects))).toEqual([]);
    expect(absent("docs/verification.md", Layer.options)).toEqual([]);
  });

  it("gives every outcome its exit code", () => {
    const rows = [...read("docs/formats.md").matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (\d+) \|/gm)];
    const codes = rows.flatMap(([, names = "", exitCode]) =>
      all(names, /`(\w+)`/g).map((name) => [name, Number(exitCode)]),
    );
    expect(Object.fromEntries(codes)).toEqual(exitCodes);
  });
});

describe("the programs in the documentation", () => {
  const fences = pages.flatMap((page) => {
    const own = read(page).replace(/<!-- generated: [\s\S]*?<!-- \/generated -->/g, "");
    return [...own.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, program = ""], index) => ({ page, index, program }));
  });

  it.each(fences)("print the output shown next to them: $page $index", async ({ program }) => {
    const folder = temporaryFolder();
    vi.stubEnv("TMPDIR", folder);
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const path = join(folder, "program.ts");
    writeFileSync(path, program);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    try {
      await import(path);
      const printed = log.mock.calls.map((words) => format(...words));
      expect(printed).toEqual([...program.matchAll(/\/\/ => (.*)$/gm)].map(([, text]) => text));
    } finally {
      log.mockRestore();
      vi.unstubAllEnvs();
    }
  });
});

async function configKeys(): Promise<string[]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "fixpoint.config.json"), '{ "unlike any of them": 1 }');
  const refusal = await readConfig([folder]).catch(String);
  return all(String(refusal), /expected one of (.*)/g).flatMap((list) => list.split(", "));
}

const ownLines = (page: string): string =>
  read(page)
    .split("\n")
    .filter((line) => {
      const tools = /^\| ((?:`[a-z]+`(?:, )?)+) \|/.exec(line)?.[1] ?? "";
      const names = all(tools, /`([a-z]+)`/g);
      return names.length === 0 || !names.every((name) => presets.some((preset) => preset.name === name));
    })
    .join("\n");

const anchors = (page: string): string[] =>
  [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
