import { join } from "node:path";
import { cases } from "./cases.mjs";
import { expectedOf } from "./expected.mjs";
import { toolNames } from "./install-tools.mjs";
import { judgeCell } from "./judge-cell.mjs";
import { mcpCases } from "./mcp/cases.mjs";
import { judgeSession } from "./mcp/judge-session.mjs";
import { runSession } from "./mcp/run-session.mjs";
import { runCell } from "./run-cell.mjs";

export const suites = {
  executor: {
    ...{ mark: "agents", tools: toolNames, cases, run: runCell, judge: judgeCell },
    expectedOf: (kase, tool) => expectedOf(kase.name, tool),
    told: ({ said }) => said.split("\n")[0],
  },
  mcp: {
    ...{ mark: "agents-mcp", tools: ["claude", "codex", "opencode", "gemini", "copilot"], cases: mcpCases },
    expectedOf: (kase, tool) => ({ kind: kase.expected, cannot: kase.cannot?.[tool] }),
    run: async (cell) => {
      const { findPreset } = await import(join(cell.program, "../../../adapters/presets/presets.js"));
      return runSession({ ...cell, preset: findPreset(cell.tool.name) });
    },
    judge: judgeSession,
    told: ({ transcript }) => transcript.at(-1)?.said.text.replaceAll("\n", " ").slice(0, 300) ?? "no model call",
  },
};
