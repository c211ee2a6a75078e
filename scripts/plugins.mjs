#!/usr/bin/env node
// Writes the plugins for agents into `plugins/`. With `--check`, writes nothing and exits with 1 if a file differs.
// Requires a compiled build.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentForms } from "../dist/src/hosts/node/setup/agent-forms.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const packages = ["-y", "-p", `fixpoint@${version}`];
const call = ["npx", ...packages, "-p", "@modelcontextprotocol/server@2", "fixpoint", "mcp"];
const hook = (event) => ["npx", ...packages, "fixpoint", "hook", event].join(" ");
const { claude, codex, opencode, gemini, copilot } = agentForms;
const name = "fixpoint";
const about = {
  name,
  version,
  description: "Works through a plan of tasks, each verified by fixpoint before the next",
};
const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
const servers = (agent) => ({ mcpServers: { fixpoint: agent.server(call) } });
const hooks = (agent) => ({ hooks: agent.hooks(hook) });

const loop = `1. Call \`next_task\`.
2. \`work\`: do what the prompt of the task says, in its workspace, and nothing else. Of several tasks do one after the other.
3. Call \`report_result\` with the nonce of that task: \`complete\` when it is done, \`failed\` with what went wrong, \`blocked\` with
   the question that a person has to answer. If the plan itself has to change, call \`request_change\` instead.
4. \`checking\`: call \`wait_event\` until the verdict is there. Do nothing about another verdict than \`accepted\`: fixpoint
   decides what follows, and \`next\` says it.
5. Continue with \`next\` of that answer as with an answer of \`next_task\`. \`waiting\`: call \`next_task\` again at that time.
6. \`ended\` or \`asked\`: stop, and report the outcome or the unchanged question to the person.

Never tick boxes in tasks.md, never edit \`.fixpoint\`, and never answer a question of fixpoint in place of a person.`;
const skill = `---
name: work-off-a-plan
description: Work through the tasks of a spec's tasks.md with fixpoint, which verifies each and recovers what fails. Use it when asked to work through, execute, continue or finish a plan, a spec or a tasks.md.
---

The tools of fixpoint hand out the tasks of a plan and check what was done.

${loop}
`;
const subagent = `---
name: fixpoint-task
description: Does one task that fixpoint hands out, reports it, and answers in one line. Use it for each task of a plan, one after the other, so that only a line of each stays here.
---

Do one task of the plan.

1. Call \`next_task\`. If it does not answer \`work\`, sum up its answer in one line, and stop.
2. Do what the prompt of the first task says, in its workspace, and nothing else.
3. Call \`report_result\` with its nonce: \`complete\`, \`failed\` with what went wrong, or \`blocked\` with the question for a person.
   \`checking\`: call \`wait_event\` until the verdict is there.
4. Answer in one line: the key, the verdict, and the kind of what is next, such as \`1.3#1 accepted, next: work\`.
`;
const told = `# fixpoint

When you are asked to work through a plan, a spec or a tasks.md, use the tools of fixpoint.

${loop}
`;

const plugins = {
  "claude-code": {
    ".claude-plugin/plugin.json": json(about),
    ".mcp.json": json(servers(claude)),
    "hooks/hooks.json": json(hooks(claude)),
    "skills/work-off-a-plan/SKILL.md": skill,
    "agents/fixpoint-task.md": subagent,
  },
  codex: {
    ".codex-plugin/plugin.json": json({
      ...about,
      skills: "./skills/",
      mcpServers: "./.mcp.json",
      hooks: "./hooks/hooks.json",
    }),
    ".mcp.json": json(servers(codex)),
    "hooks/hooks.json": json(hooks(codex)),
    "skills/work-off-a-plan/SKILL.md": skill,
  },
  copilot: {
    "plugin.json": json({
      ...about,
      skills: "./skills/",
      agents: "./agents/",
      mcpServers: "./.mcp.json",
      hooks: "./hooks.json",
    }),
    ".mcp.json": json(servers(copilot)),
    "hooks.json": json({ version: 1, ...hooks(copilot) }),
    "skills/work-off-a-plan/SKILL.md": skill,
    "agents/fixpoint-task.agent.md": subagent,
  },
  gemini: {
    "gemini-extension.json": json({
      ...about,
      ...servers(gemini),
      contextFileName: "GEMINI.md",
    }),
    "hooks/hooks.json": json(hooks(gemini)),
    "GEMINI.md": told,
  },
  opencode: {
    "opencode.json": json({
      $schema: "https://opencode.ai/config.json",
      mcp: { fixpoint: opencode.server(call) },
    }),
    ".opencode/command/work-off-a-plan.md": `---\ndescription: Work through the tasks of a plan with fixpoint\n---\n\n${loop}\n`,
    ".opencode/agent/fixpoint-task.md": subagent
      .replace("name: fixpoint-task\n", "")
      .replace("---\n\nDo", "mode: subagent\n---\n\nDo"),
  },
};

const owner = { name };
const marketplace = (plugin, more) =>
  json({ name, ...more, plugins: [{ name, description: about.description, source: `./plugins/${plugin}` }] });
const marketplaces = {
  ".claude-plugin/marketplace.json": marketplace("claude-code", { owner }),
  ".github/plugin/marketplace.json": marketplace("copilot", {
    owner,
    metadata: { description: about.description, version },
  }),
  ".agents/plugins/marketplace.json": json({
    name,
    plugins: [{ name, source: { source: "local", path: "./plugins/codex" } }],
  }),
};

const isCheck = process.argv.includes("--check");
const files = Object.entries(plugins).flatMap(([plugin, texts]) =>
  Object.entries(texts).map(([path, text]) => [`plugins/${plugin}/${path}`, text]),
);
let stale = 0;
for (const [path, text] of [...files, ...Object.entries(marketplaces)]) {
  const place = join(root, path);
  if (existsSync(place) && readFileSync(place, "utf8") === text) continue;
  stale += 1;
  if (isCheck) process.stderr.write(`${path} is stale. Write it again: node scripts/plugins.mjs\n`);
  else {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}
process.exitCode = isCheck && stale > 0 ? 1 : 0;
