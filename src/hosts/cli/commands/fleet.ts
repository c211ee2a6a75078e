import { once } from "node:events";
import { resolve } from "node:path";
import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { readPolicy } from "../../../model/policy.ts";
import type { Role } from "../../../model/role.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderFleet } from "../../../wording/render-fleet.ts";
import { readFleet } from "../../dbos/fleet.ts";
import { submitSpec } from "../../dbos/submit.ts";
import { startWorker } from "../../dbos/worker.ts";
import { toolNames } from "../../node/executors/known-tools.ts";
import { findSpec } from "../../node/find-spec.ts";
import type { ExecutorOption } from "../../node/run-options.ts";
import type { CliCommand } from "../cli-command.ts";
import { command, json, queue } from "../command.ts";
import { readConfig } from "../options/config.ts";
import { flag, readGiven, switchesOf } from "../options/read-flag.ts";
import { readRunFlags, runFlags } from "../options/run-flags.ts";
import { personAt } from "../person-at.ts";

const who = z.string().regex(/^[\w.-]{1,64}$/, "expected a name of letters, digits, dots and dashes");
const roleFlag = (role: Exclude<Role, "executor">) =>
  flag(who, `--${role} <name>`, `the executor for the role ${role}, by the name that workers give it`);

const submitOptions = {
  queue,
  executor: flag(who, "--executor <name>", "the executor of the tasks, by the name that workers give it"),
  ...{ verifier: roleFlag("verifier"), reviewer: roleFlag("reviewer"), operator: roleFlag("operator") },
  branch: flag(z.string(), "--branch <name>", "push accepted work to this branch", { unset: "fixpoint/<spec>" }),
  remote: flag(z.string(), "--remote <name>", "the remote that workers fetch from and push to", { unset: "origin" }),
  accept: flag(z.string(), "--accept <hash>", "agree to the commands that were shown with this hash"),
  yes: flag(z.boolean(), "--yes", "agree to the commands of the plan without being asked"),
};
/** Settings of a run that do not depend on the machine. */
const policyFlags = runFlags.filter(
  ({ path, flags }) => path.length === 2 && path[0] !== undefined && !/^--(?:worktree|pull-request)/.test(flags),
);

export const submit: CliCommand = {
  options: [...switchesOf(submitOptions), ...policyFlags],
  example: "fixpoint submit my-feature --queue postgres://fixpoint@db/fixpoint --executor claude",
  async run({ words: [named], values, surroundings: { terminal, folder } }) {
    const { queue: address, yes = false, accept, ...given } = readGiven(submitOptions, values);
    const names = new Set(policyFlags.map(({ name }) => name));
    const said = readRunFlags(Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))));
    const config = await readConfig([findSpec(named, folder, "submit").folder, folder]);
    const { settings, acting = {} } = config ?? {};
    const { branch, remote, executor = settings?.executor?.[0], ...roles } = given;
    if (executor === undefined) throw noExecutor();
    const person = personAt(terminal, () => () => {});
    const sent = await submitSpec({
      ...{ queue: needed(address), workspace: folder, executors: { executor, ...roles } },
      ...(named !== undefined && { spec: named }),
      ...(branch !== undefined && { branch }),
      ...(remote !== undefined && { remote }),
      policy: readPolicy({ ...settings?.policy, ...said.policy }, said.ladder ?? settings?.ladder),
      settings: Object.entries(acting).map(([name, value]) => `${name}: ${value}`),
      agree: (items, hash) =>
        yes || accept === hash || (person?.confirm("May workers run these commands?", items) ?? false),
    });
    terminal.out(`Submitted ${escapeText(sent.run)}: accepted work goes to ${escapeText(sent.branch)}\n`);
    return 0;
  },
};

export const worker = command({
  options: {
    queue,
    executor: flag(
      z.array(z.string()),
      "--executor <executor>",
      `a known tool, or a name and a command line as in agent="node agent.mjs"; repeat the option for others`,
      { repeats: true },
    ),
    slots: flag(z.int().min(1), "--slots <n>", "number of jobs done here at a time for each executor", {
      unset: "1",
    }),
    folder: flag(z.string(), "--folder <folder>", "folder of the checkouts", { unset: "~/.cache/fixpoint-fleet" }),
    lease: flag(z.int().min(3), "--lease <seconds>", "a worker without a heartbeat for this time counts as dead", {
      unset: "30",
    }),
    poll: flag(z.int().min(20), "--poll <ms>", "time between two reads of the queues", { unset: "1000" }),
    perRepository: flag(z.int().min(1), "--per-repository <n>", "maximum number of jobs at a time for one repository"),
    perExecutor: flag(
      z.int().min(1),
      "--per-executor <n>",
      "maximum number of jobs at a time for each executor, on all machines",
    ),
    perDay: flag(z.number().min(0), "--per-day <usd>", "maximum cost per day (UTC) for each executor", {
      unset: "no limit",
    }),
  },
  example: "fixpoint worker --queue postgres://fixpoint@db/fixpoint --executor claude --slots 4",
  async run({ given, surroundings: { terminal, folder: here, signal } }) {
    const { queue: address, executor = [], lease, folder, poll, ...limits } = given;
    if (executor.length === 0) throw noExecutor();
    const executors = executor.map(executorIn);
    const twice = executors.find(([name], at) => executors.findIndex(([other]) => other === name) < at);
    if (twice !== undefined) throw namedTwice(twice[0]);
    const work = await startWorker({
      ...{ queue: needed(address), executors: Object.fromEntries(executors), ...limits },
      ...(folder !== undefined && { folder: resolve(here, folder) }),
      ...(lease !== undefined && { leaseMs: lease * 1000 }),
      ...(poll !== undefined && { pollMs: poll }),
    });
    terminal.out(`Worker ${work.id} is ready\n`);
    if (!signal.aborted) await once(signal, "abort");
    await work.stop();
  },
});

export const fleet = command({
  options: { queue, json },
  example: "fixpoint fleet --queue postgres://fixpoint@db/fixpoint",
  async run({ given, print }) {
    const found = await readFleet(needed(given.queue));
    print(found, () => renderFleet(found));
  },
});

function executorIn(text: string): readonly [name: string, option: ExecutorOption] {
  const [, name, line] = /^([\w.-]{1,64})=(.*\S.*)$/s.exec(text) ?? [];
  if (name !== undefined && line !== undefined) return [name, line.trim()];
  if (toolNames.includes(text)) return [text, { preset: text }];
  throw new InputError(`Cannot use --executor \`${text}\`, expected a known tool, or a name and its command line`, {
    code: "bad-option",
    hint: `Known: ${toolNames.join(", ")}. Or, for example: --executor agent="node agent.mjs"`,
  });
}

const namedTwice = (name: string): InputError =>
  new InputError(`Cannot use --executor \`${name}\` twice, expected a separate name for each executor`, {
    code: "bad-option",
    hint: 'For example: --executor fast="node fast.mjs" --executor slow="node slow.mjs"',
  });

function needed(address: string | undefined): string {
  if (address !== undefined) return address;
  throw new InputError("Cannot find a fleet without --queue, expected the address of its database", {
    code: "queue-invalid",
    hint: "For example: --queue postgres://fixpoint@db.example.com/fixpoint, with the password in PGPASSWORD",
  });
}

const noExecutor = (): InputError =>
  new InputError("Cannot start without an executor, expected --executor", {
    code: "no-executor",
    hint: "For example: --executor claude",
  });
