import * as z from "zod";
import { shellWord } from "../../../model/command-line.ts";
import { PermissionLevel } from "../../../model/reply.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { roleWords } from "../../../wording/role-words.ts";
import { executorRecord } from "../../node/consent/owner-record.ts";
import type { SpecFolder } from "../../node/find-spec.ts";
import { roleOptions, type Settings, whoOptions } from "./settings.ts";

/**
 * Remembered options: options that choose the executor of a role, and the permissions given with that executor, except
 * `full`, which must be typed.
 */
const recorded = { ...whoOptions, executor: z.array(z.string()), permissions: PermissionLevel.exclude(["full"]) };
const Recorded = z.object(recorded).partial();
type Name = keyof typeof recorded;
type Chosen = Pick<Settings, keyof typeof whoOptions> & Pick<Settings["policy"], "permissions">;

/**
 * Options by role: `who` options choose the executor, and `how` options say how to call the executor. A new choice
 * drops the remembered options of both kinds.
 */
const roles: Readonly<Record<string, { readonly who: readonly Name[]; readonly how: readonly Name[] }>> = {
  executor: { who: ["executor", "exec"], how: ["rungs", "executorArgs", "structuredClaim", "permissions"] },
  ...Object.fromEntries(roleOptions.map(({ role, name }) => [roleWords[role].called, { who: [name], how: [] }])),
};

/** Executors by role: as given on the command line, else as remembered from an earlier start. */
export interface ExecutorMemory {
  readonly settings: Settings;
  /** One line per role with a remembered executor, and a line if another program has changed the memory. */
  readonly notices: readonly string[];
  /** A line about remembered choices that are not used; null if there are none. */
  readonly doubt: string | null;
  keep(): void;
}

/** @throws {EnvironmentError} `user-folder-unusable` */
export async function recallExecutors(said: Settings, spec: SpecFolder, workspace: string): Promise<ExecutorMemory> {
  const given = pick({ ...said, permissions: said.policy.permissions });
  const isTyped = Object.keys(given).length > 0;
  const record = await executorRecord(spec, workspace, Recorded, isTyped);
  if (record === null) return { settings: said, notices: [], doubt: null, keep: () => {} };
  const before = pick(record.typed ?? {});
  let now: Chosen = {};
  const notices: string[] = [];
  const doubt =
    record.doubt === null ? null : `The executor that you named before is not used. ${escapeText(record.doubt)}`;
  if (doubt !== null) notices.push(doubt);
  if (record.isAltered && record.typed !== null)
    notices.push(`The executor was changed since your last start: ${renderAll(before)} (not by fixpoint)`);
  for (const [role, { who, how }] of Object.entries(roles)) {
    const isNamed = who.some((name) => given[name] !== undefined);
    const remembered = isNamed ? {} : pick(before, [...who, ...how]);
    now = { ...now, ...remembered, ...pick(given, [...who, ...how]) };
    if (Object.keys(remembered).length > 0)
      notices.push(
        `${role}: ${render({ ...remembered, ...pick(given, how) })}${record.isAltered ? "" : ", as before"}`,
      );
  }
  const { permissions, ...chosen } = now;
  // Permissions belong to an executor: permissions for the executor of the config file apply only to this start.
  const isChosen = [chosen.executor, chosen.exec, chosen.rungs].some((who) => who !== undefined);
  const isKept = isChosen && permissions !== undefined && permissions !== "full";
  const kept = { ...chosen, ...(isKept && { permissions }) };
  return {
    settings: { ...said, ...chosen, policy: { ...said.policy, ...(permissions !== undefined && { permissions }) } },
    notices,
    doubt,
    keep: () => {
      if (Object.keys(kept).length > 0 || record.typed !== null) record.write(kept);
    },
  };
}

const pick = (from: { readonly [Each in Name]?: unknown }, names = Object.keys(recorded) as readonly Name[]): Chosen =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

const renderAll = (typed: Chosen): string =>
  Object.entries(roles)
    .flatMap(([role, { who, how }]) => {
      const own = pick(typed, [...who, ...how]);
      return Object.keys(own).length === 0 ? [] : [role === "executor" ? render(own) : `${role}: ${render(own)}`];
    })
    .join("; ");

/** Render the executor of a role, in the form of the options. */
function render({
  executor,
  rungs = {},
  executorArgs = {},
  structuredClaim,
  permissions,
  ...commands
}: Chosen): string {
  const [command] = Object.values(commands);
  const tools = executor?.join(",");
  const who = tools !== undefined && command !== undefined ? `${tools} as ${shellWord(command)}` : (tools ?? command);
  const parts = [
    ...(who === undefined ? [] : [who]),
    ...Object.entries(rungs).map(([rung, tool]) => `${rung}: ${tool}`),
    ...Object.entries(executorArgs).map(([tool, args]) => `${tool}: ${args}`),
    ...(structuredClaim === true ? ["--structured-claim"] : []),
    ...(permissions === undefined ? [] : [`--permissions ${permissions}`]),
  ];
  return escapeText(parts.join("; "));
}
