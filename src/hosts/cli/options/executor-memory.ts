import * as z from "zod";
import { shellWord } from "../../../model/command-line.ts";
import { Rung } from "../../../model/rung.ts";
import { executorRecord } from "../../node/consent/owner-record.ts";
import type { SpecFolder } from "../../node/find-spec.ts";
import { escapeText } from "../render/escape-text.ts";
import type { Settings } from "./settings.ts";

/** What a command line says of who plays a role, and is remembered. */
const Said = z
  .object({
    executor: z.array(z.string()),
    exec: z.string(),
    rungs: z.partialRecord(Rung, z.string()),
    executorArgs: z.record(z.string(), z.string()),
    structuredClaim: z.boolean(),
    verifierExec: z.string(),
    operatorExec: z.string(),
    reviewerExec: z.string(),
  })
  .partial();
type Said = z.infer<typeof Said>;
type Name = keyof Said;

/** What says who plays a role, and how it is called: who is named anew is called as is said with that name. */
const roles: Readonly<Record<string, { readonly who: readonly Name[]; readonly how: readonly Name[] }>> = {
  executor: { who: ["executor", "exec"], how: ["rungs", "executorArgs", "structuredClaim"] },
  verifier: { who: ["verifierExec"], how: [] },
  "repair operator": { who: ["operatorExec"], how: [] },
  reviewer: { who: ["reviewerExec"], how: [] },
};

/** Who plays each role in a run: as the command line says, else as it said before. */
export interface ExecutorMemory {
  /** What the command line says, with what it said before. */
  readonly settings: Settings;
  /** What is told of roles that are played as before, a line each. */
  readonly told: readonly string[];
  /** Remember it for later starts. */
  keep(): void;
}

/** @throws {EnvironmentError} `user-folder-unusable` */
export function recallExecutors(given: Settings, spec: SpecFolder, workspace: string): ExecutorMemory {
  const record = executorRecord(spec, workspace);
  const before = Said.safeParse(record.read()).data ?? {};
  let now: Said = {};
  const told: string[] = [];
  for (const [role, { who, how }] of Object.entries(roles)) {
    const isNamed = who.some((name) => given[name] !== undefined);
    const remembered = isNamed ? {} : pick(before, [...who, ...how]);
    now = { ...now, ...remembered, ...pick(given, [...who, ...how]) };
    if (Object.keys(remembered).length > 0)
      told.push(`${role}: ${render({ ...remembered, ...pick(given, how) })}, as before`);
  }
  return {
    settings: { ...given, ...now },
    told,
    keep: () => {
      if (JSON.stringify(now) !== JSON.stringify(before)) record.write(now);
    },
  };
}

const pick = (from: Settings | Said, names: readonly Name[]): Said =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));

/** Who plays a role, as it was typed. */
function render({ executor, rungs = {}, executorArgs = {}, structuredClaim, ...commands }: Said): string {
  const [command] = Object.values(commands);
  const tools = executor?.join(",");
  const who = tools !== undefined && command !== undefined ? `${tools} as ${shellWord(command)}` : (tools ?? command);
  const parts = [
    ...(who === undefined ? [] : [who]),
    ...Object.entries(rungs).map(([rung, tool]) => `${rung}: ${tool}`),
    ...Object.entries(executorArgs).map(([tool, args]) => `${tool}: ${args}`),
    ...(structuredClaim === true ? ["--structured-claim"] : []),
  ];
  return escapeText(parts.join("; "));
}
