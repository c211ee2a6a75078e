// Writes the JSON schemas, and the generated parts of the documentation between their markers. Requires a build.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLedger } from "./campaign/ledger.mjs";
import { countOf } from "./campaign/report-campaign.mjs";
import { code, dialectTable, effectTable, eventTable, fence, ruleTable, table } from "./doc-tables.mjs";
import { drawChart } from "./draw-chart.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const part = /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- \/generated -->)/g;

async function main() {
  const doors = [
    "src/index",
    "src/runtime/index",
    "src/runtime/lean-chart",
    "machines/charts",
    "src/model/rung",
    "src/wording/render-time",
    "src/model/effect",
    "src/model/event",
    "src/model/limits",
    "src/model/option",
    "src/model/rule",
    "src/wording/rule-texts",
    "src/wording/explain-denial",
    "src/markdown/dialects/dialects",
    "src/markdown/dialects/dialect-rows",
  ];
  const load = (door) => import(new URL(`../dist/${door}.js`, import.meta.url).href);
  const built = await Promise.all(doors.map(load));
  const { readPrompt } = await load("src/hosts/node/reading/read-prompt");
  for (const folder of ["schema", "docs/charts"]) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, text] of Object.entries(
    generateFiles(Object.assign({}, ...built, { prompts: await readPrompts(readPrompt) })),
  )) {
    writeFileSync(join(root, path), text);
  }
}

const shownTasks = {
  "ralph-specum": "1.1",
  "spec-kit": "T003",
  openspec: "2.1",
  kiro: "1.1",
  "cc-sdd": "1.2",
  superpowers: "1",
  bmad: "1",
  gsd: "1",
  checklist: "H852312",
};

export async function readPrompts(readPrompt) {
  const all = Object.entries(shownTasks).map(async ([name, task]) => {
    const folder = join(root, "test/fixtures/prompts", name);
    const spec = { name, folder, dataFolder: join(folder, ".fixpoint") };
    return [name, (await readPrompt(spec, task)).replaceAll(folder, `specs/${name}`)];
  });
  return Object.fromEntries(await Promise.all(all));
}

export function generateFiles(built) {
  const pages = [
    "README.md",
    ...["docs", "docs/evidence"].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}/${name}`),
    ),
  ];
  const parts = describeParts(built);
  return {
    ...Object.fromEntries(pages.map((path) => [path, fillParts(path, readFileSync(join(root, path), "utf8"), parts)])),
    "schema/policy.schema.json": renderSchema(built.toJsonSchema("policy")),
    "schema/state.schema.json": renderSchema(built.toJsonSchema("state")),
    "schema/claim.schema.json": renderSchema(built.claimSchema()),
    ...Object.fromEntries(
      Object.entries(built.charts).map(([name, create]) => [
        `docs/charts/${name}.svg`,
        drawChart(name, built.leanChart(create()), { isPicture: true }),
      ]),
    ),
  };
}

function fillParts(path, text, parts) {
  return text.replace(part, (_all, open, name, close) => {
    const [kind, argument] = name.split(" ");
    if (parts[kind] === undefined) throw new Error(`Cannot generate \`${name}\` of ${path}, expected a known part`);
    return `${open}\n${parts[kind](argument)}\n\n${close}`;
  });
}

function campaignsOf(runs) {
  const groups = [...new Set(runs.map(({ campaign, commit }) => `${campaign} ${commit}`))].map((name) =>
    runs.filter(({ campaign, commit }) => `${campaign} ${commit}` === name),
  );
  const rows = groups.map((own) => {
    const [{ campaign, commit, unit }] = own;
    const total = {};
    for (const { counts } of own) for (const key in counts) total[key] = (total[key] ?? 0) + counts[key];
    const { [unit]: n, ...others } = total;
    const beside = Object.entries(others).map(([key, count]) => `${countOf(count)} ${key}`);
    const seeds = [...new Set(own.map(({ seed }) => seed))].join(", ");
    const sum = (key) => own.reduce((all, run) => all + run[key], 0);
    return [
      code(campaign),
      `${countOf(n)} ${unit}`,
      beside.join(", "),
      seeds,
      code(commit),
      Math.round(sum("minutes") * 10) / 10,
      sum("violations"),
    ];
  });
  return table(["campaign", "n", "among them", "seeds", "commit", "minutes", "violations"], rows);
}

const renderPrompts = (prompts) =>
  Object.entries(prompts)
    .map(([name, text], at) => {
      const shown = at === 0 ? text : text.slice(0, text.indexOf("\n\nIf it cannot be done, "));
      return `## ${name}\n\n\`\`\`\`text\n${shown.trimEnd()}\n\`\`\`\``;
    })
    .join("\n\n");

const renderSchema = (schema) => `${JSON.stringify(schema, undefined, 2)}\n`;

function describeParts({ toMermaid, charts, Policy, Limit, ...rest }) {
  const { renderDuration, explainDenial, optionFacts, LadderChoices } = rest;
  const machines = Object.fromEntries(Object.entries(charts).map(([name, create]) => [name, create()]));
  const ladder = Object.values(LadderChoices.shape).map((option) => optionFacts.get(option).flag.flags);
  const ladderFlags = [...ladder, ...ladder.map((flags) => flags.replace("--", "--no-"))];
  const settings = Object.entries(Policy.shape).filter(([name]) => name !== "pullRequest");
  return {
    diagram: (name) => fence("mermaid", toMermaid(machines[name])),
    states: (name) => statesOf(machines[name]),
    limits: () => tableOf(settings.filter(([name]) => Limit.options.includes(name))),
    choices: () => tableOf(settings.filter(([name]) => !Limit.options.includes(name))),
    messages: () => messagesOf(Limit.options),
    campaigns: () => campaignsOf(readLedger(root)),
    dialects: () => dialectTable(rest.dialects, rest.dialectRows),
    effects: () => effectTable(rest.effects),
    events: () => eventTable(rest.RunEvent),
    rules: () => ruleTable(rest.rules, rest.ruleTexts),
    prompts: () => renderPrompts(rest.prompts),
    file: (path) => fence("ts", readFileSync(join(root, path), "utf8")),
  };

  function tableOf(rows) {
    return table(
      ["name", "option", "default", "unit", "what it is", "what it counts"],
      rows.map(([name, option]) => {
        const { kind, flag } = optionFacts.get(option);
        const given = flag === undefined ? ladderFlags : [flag.flags];
        return [
          code(name),
          given.map(code).join(", "),
          defaultOf(name, flag),
          flag?.unit ?? "list",
          kind,
          option.description,
        ];
      }),
    );
  }

  function defaultOf(name, flag) {
    const value = Policy.parse({})[name];
    if (flag?.shown !== undefined) return flag.shown;
    if (value === null || value === false) return "off";
    if (Array.isArray(value)) return value.map((each) => code(JSON.stringify(each))).join(", ");
    return flag.flags.endsWith("<duration>") ? renderDuration(value) : String(value);
  }

  function messagesOf(limits) {
    const messages = limits.map((limit) => [limit, messageOf(limit)]);
    const [[, { error, hint }]] = messages;
    const rows = messages.map(([limit, { error }]) => [code(limit), code(`ERROR: ${error.split("\n")[0]}`)]);
    return `${fence("text", `ERROR: ${error}\n${hint}`)}\n\n${table(["limit", "first line"], rows)}`;
  }

  function messageOf(limit) {
    const policy = Policy.parse({ pullRequest: {} });
    const max = policy[limit] ?? policy.pullRequest[limit] ?? sampleMax[limit];
    const task = sampleSubject[limit] ?? "1.3";
    const lastError = limit === "maxTaskIterations" ? "File not found: src/parser.ts" : null;
    const denial = { kind: "denied", limit, task, max };
    return explainDenial(denial, sampleSpent[limit] ?? {}, lastError, sampleReader);
  }
}

const sampleMax = {
  race: 3,
  maxTotalAttempts: 10,
  maxGlobalIterations: 100,
  maxRunTime: 7_200_000,
  maxCost: 5,
  maxTokens: 2_000_000,
};
const sampleSubject = {
  maxFixTaskDepth: "1.3.1.1.1",
  maxTime: "pull request 7",
  maxCycles: "pull request 7",
  maxFixesPerCheck: "check CI / test",
  maxTasksPerThread: "the thread of ann",
};
const sampleReader = {
  address: { program: "fixpoint", spec: "my-feature", cwd: null, path: "my-feature" },
  used: { iterations: 100, elapsedMs: 7_201_000, costUsd: 5.2, tokens: 2_000_500 },
  rerunsFirst: () => true,
  hasLearnings: true,
};
const spent = (fixes, attempts = 1) => ({ attempts, retries: attempts - 1, fixes });
const sampleSpent = {
  maxTaskIterations: { 1.3: spent([], 5) },
  maxFixTasksPerOriginal: { 1.3: spent(["1.3.1", "1.3.2", "1.3.3", "1.3.4"]) },
  maxFixTaskDepth: { 1.3: spent(["1.3.1"]), "1.3.1": spent(["1.3.1.1"]), "1.3.1.1": spent(["1.3.1.1.1"]) },
  maxFixTasksPerRoot: {
    1.3: spent(["1.3.1", "1.3.2", "1.3.3"]),
    "1.3.1": spent(["1.3.1.1", "1.3.1.2", "1.3.1.3"]),
    "1.3.2": spent(["1.3.2.1", "1.3.2.2", "1.3.2.3"]),
  },
};

function statesOf(machine) {
  const rows = Object.values(machine.root.states).map(({ key, description, invoke, type }) => {
    const asks = invoke.map(({ src }) => code(src)).join(", ");
    return [code(key), description, type === "final" ? "ends" : asks];
  });
  return table(["state", "what happens in it", "asks for"], rows);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
