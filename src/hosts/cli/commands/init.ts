import { join, relative, resolve } from "node:path";
import * as z from "zod";
import { commandLine, shellWord } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import { countOf } from "../../../model/text.ts";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { findSpec, programIn } from "../../node/find-spec.ts";
import { readPlanText } from "../../node/reading/read-plan-file.ts";
import type { FoundPlan } from "../../node/setup/find-plans.ts";
import { writeConfig, writeNew } from "../../node/write-new.ts";
import { callAddress } from "../call-address.ts";
import { type CliCommand, type OptionValues, renderJson, type Surroundings } from "../cli-command.ts";
import { json } from "../command.ts";
import { type Chooser, choosePlan } from "../init/choose.ts";
import { type ConfigChange, changesOf, type MadePlan, makePlan, propose, readWritten } from "../init/propose.ts";
import { configName, parseConfig, readConfig } from "../options/config.ts";
import { flag, readGiven, switchesOf } from "../options/read-flag.ts";
import { readRunFlags, runFlags } from "../options/run-flags.ts";
import { examine, renderFinding } from "./doctor.ts";

const own = {
  from: flag(
    z.array(z.string()),
    "--from <plan>",
    "write only tasks.md: a copy of a plan with boxes, or references to the tasks of a GSD plan such as 01-02-PLAN.md",
    { repeats: true },
  ),
  yes: flag(z.boolean(), "--yes", `change an existing ${configName}`),
  json,
};

const taken = ["executor", "exec", "executorArgs", "permissions", "commit", "verify"];

export const init: CliCommand = {
  options: [...switchesOf(own), ...runFlags.filter(({ name }) => taken.includes(name))],
  example: "fixpoint init --executor claude",
  async run({ words: [given], values, surroundings }) {
    const { from, ...how } = readGiven(own, values);
    if (from !== undefined) return writePlanOf(from, given, values, surroundings);
    return await setUp(given, { values, ...how }, surroundings);
  },
};

/** Write a `tasks.md` made from other plans. The other plans stay unchanged. */
function writePlanOf(
  from: readonly string[],
  given: string | undefined,
  values: OptionValues,
  { folder, terminal }: Surroundings,
): number {
  const other = [...taken, "yes"].find((name) => values[name] !== undefined);
  if (other !== undefined) {
    throw new InputError(`Cannot use --from with the option for \`${other}\`, expected --from alone`, {
      code: "bad-option",
      hint: "Write the plan first, then set up its run with init and that option",
    });
  }
  const sources = from.map((source) => resolve(folder, source));
  const made = makePlan(sources, folder, given === undefined ? undefined : resolve(folder, given));
  const path = writeMade(made);
  const next = [programIn(), "init", ...[relative(folder, made.folder)].filter((way) => way !== "").map(shellWord)];
  const told = `${renderMade(made, folder)}Read it, then: ${next.join(" ")}\n`;
  terminal.out(values["json"] === true ? `${renderJson({ file: path, tasks: made.tasks })}\n` : told);
  return 0;
}

function writeMade({ folder, text }: MadePlan): string {
  const path = join(folder, "tasks.md");
  writeNew(path, text);
  return path;
}

function renderMade({ folder, tasks }: MadePlan, from: string): string {
  const checked = tasks.filter(({ verify }) => verify !== null).length;
  const path = escapeText(relative(from, join(folder, "tasks.md")));
  return `Wrote ${path}: ${countOf(tasks.length, "task", "tasks")}, ${checked} with a Verify\n`;
}

interface Asked {
  readonly values: OptionValues;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Find what a run needs, write the config file, and print the command that starts the run. */
async function setUp(
  given: string | undefined,
  { values, yes = false, json: isJson = false }: Asked,
  surroundings: Surroundings,
): Promise<number> {
  const { folder, terminal, signal } = surroundings;
  const out = isJson ? () => {} : terminal.out;
  const chooser = isJson || terminal.ask === undefined ? { out } : { out, ask: terminal.ask };
  const plan = await choosePlan(given, folder, chooser);
  const made = plan.sources.length === 0 ? null : makePlan(plan.sources, folder, plan.folder);
  const text = made?.text ?? readPlanText(join(plan.folder, "tasks.md"));
  const config = await readConfig([plan.folder, folder]);
  const path = join(config?.folder ?? folder, configName);
  const before = config === null ? {} : readWritten(path);
  const said = readRunFlags(Object.fromEntries(taken.map((name) => [name, values[name]])));
  const { after, lines, unchecked } = await propose({ plan, text, before, said, workspace: folder }, chooser, signal);
  // Some rights, such as `--permissions full`, come only from the command line; parsing refuses them in a file.
  parseConfig(path, JSON.stringify(after));
  const changes = changesOf(before, after);
  const isRefused = changes.length > 0 && config !== null && !yes && !(await mayChange(path, changes, chooser));
  const isKept = changes.length === 0 || isRefused;
  if (made !== null) {
    writeMade(made);
    out(renderMade(made, folder));
  }
  out(
    `plan   ${escapeText(relative(folder, join(plan.folder, "tasks.md")))}: ${countOf(plan.open, "open task", "open tasks")}\n`,
  );
  if (!isRefused) for (const line of lines) out(`${escapeText(line)}\n`);
  if (!isKept) writeConfig(path, after);
  out(isKept ? `${configName} stays as it is\n` : renderWritten(relative(folder, path), changes));
  return await renderRun(plan, { changes: isKept ? [] : changes, unchecked, isJson }, surroundings);
}

async function mayChange(path: string, changes: readonly ConfigChange[], { ask, out }: Chooser): Promise<boolean> {
  const told = `${path} would change:\n${changes.map(renderChange).join("")}`;
  if (ask === undefined) {
    throw new InputError(`Cannot change a ${configName} without your consent. ${told.trimEnd()}`, {
      code: "config-exists",
      hint: "Add --yes to have the file changed, or edit it yourself",
    });
  }
  out(escapeLines(told));
  return /^\s*y(es)?\s*$/i.test(await ask("Change it? [y/N] "));
}

const renderWritten = (path: string, changes: readonly ConfigChange[]): string =>
  escapeLines(`Wrote ${path}:\n${changes.map(renderChange).join("")}`);

function renderChange({ key, before, after }: ConfigChange): string {
  const [from, to] = [before, after].map((value) => (value === undefined ? "nothing" : JSON.stringify(value)));
  return before === undefined ? `  ${key}: ${to}\n` : `  ${key}: ${to}, was ${from}\n`;
}

async function renderRun(
  plan: FoundPlan,
  {
    changes,
    unchecked,
    isJson,
  }: { readonly changes: readonly ConfigChange[]; readonly unchecked: string | null; readonly isJson: boolean },
  { folder, terminal, signal }: Surroundings,
): Promise<number> {
  const spec = findSpec(plan.folder, folder, "run");
  const address = callAddress(spec, {}, folder);
  const examined = await examine({ spec, given: { policy: {} }, folder, address }, signal);
  if (signal.aborted) return exitCodes.interrupted;
  const findings = examined.filter(({ level, about }) => level !== "ok" || about === "consent");
  const run = commandLine(address, "run");
  const isReady = findings.every(({ level }) => level !== "error");
  if (isJson) terminal.out(`${renderJson({ plan: spec.tasksPath, changes, findings, run })}\n`);
  else {
    for (const finding of findings) terminal.out(renderFinding(finding));
    const told =
      unchecked === null
        ? run
        : `${commandLine(address, "run", { options: ["--verify", "…"] })}, with a command that checks ${unchecked}\n     Without it, they end unverified: ${run}`;
    terminal.out(`${isReady ? "Now" : "Fix these problems, then"}: ${told}\n`);
  }
  return isReady ? 0 : 1;
}
