import type { RunStatus, TaskStatus } from "../../../model/status.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readStatus } from "../../node/read-status.ts";
import type { CliCommand } from "../cli-command.ts";
import { countOf } from "../count-of.ts";
import { escapeText } from "../escape-text.ts";
import { renderJson } from "../render-json.ts";

/** Where every task of a spec stands, with its fixes. */
export const status: CliCommand = {
  options: [{ flags: "--json", summary: "one JSON object" }],
  example: "fixpoint status my-feature",
  async run(spec, words, { terminal, folder }) {
    const found = readStatus(findSpec(spec, folder).folder);
    terminal.out(words["json"] === true ? `${renderJson(found)}\n` : renderStatus(found));
    return 0;
  },
};

function renderStatus({ completed, total, iterations, outcome, running, tasks }: RunStatus): string {
  const now = running === null ? [] : [`running as process ${running.pid}`];
  const last = outcome === null ? [] : [`last run: ${outcome}`];
  const spent = iterations === 0 ? [] : [countOf(iterations, "delegation", "delegations")];
  const lines = [[`${completed}/${total} completed`, ...now, ...last, ...spent].join(", "), ...tasks.map(renderTask)];
  return lines.map((line) => `${line}\n`).join("");
}

function renderTask({ id, title, state, depth, attempts, lastError }: TaskStatus): string {
  const tries = attempts === 0 ? "" : ` (${countOf(attempts, "attempt", "attempts")})`;
  const error = lastError === null || state === "passed" ? "" : `: ${lastError}`;
  return `${"  ".repeat(depth)}${escapeText(`${state} ${id} ${title}${tries}${error}`)}`;
}
