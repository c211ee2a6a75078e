import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import { reportOn } from "../../../markdown/lint-plan.ts";
import { readGsd } from "../../../markdown/read-gsd.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import { clamp, hashText } from "../../../model/text.ts";
import type { SpecFolder } from "../find-spec.ts";
import { foldersBelow, isArchived } from "../find-specs.ts";
import { readPlanFile, readPlanText } from "../reading/read-plan-file.ts";

export interface FoundPlan {
  /** Folder of the plan's `tasks.md`, absolute. */
  readonly folder: string;
  /** Absolute paths of files to make the `tasks.md` from; empty if the `tasks.md` exists. */
  readonly sources: readonly string[];
  readonly open: number;
}

/** File name of a GSD plan. A finished plan has a summary in the same folder. */
const gsd = /^(.*)-PLAN\.md$/;

/** Folders in which files of any name may be plans. */
const folders = new Set(["implementation-artifacts", "plans", "stories"]);

/**
 * Find the plans with open tasks below a folder: each `tasks.md`, plans of GSD, and plans of other tools in folders for
 * plans or stories. A file without the signs of a dialect is a plan only if named `tasks.md`. Read-only.
 *
 * @param top Absolute.
 * @param workspace Plans with other names get a folder below its `specs`.
 */
export function findPlans(top: string, workspace: string): readonly FoundPlan[] {
  return [...foldersBelow(top)].flatMap(({ path, files }) => {
    if (isArchived(path)) return [];
    if (files.includes("tasks.md")) return atTasks(path);
    const phases = files.filter((name) => gsd.test(name) && !files.includes(name.replace(gsd, "$1-SUMMARY.md")));
    if (phases.length > 0) return fromGsd(path, phases);
    if (!folders.has(basename(path))) return [];
    return files.filter((name) => name.endsWith(".md")).flatMap((name) => fromFile(join(path, name), workspace));
  });
}

/** Folder of the `tasks.md` that is made from a plan of another name. */
export function specFor(source: string, workspace: string): string {
  const name = basename(source, ".md");
  const word = clamp(name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-").replace(/^[^\p{L}\p{N}]+/u, ""), 64);
  return join(workspace, "specs", word === "" ? `plan-${hashText(name)}` : word);
}

/** Plan of a spec, even if none of its tasks is open. */
export const planIn = ({ folder, tasksPath }: SpecFolder): FoundPlan => ({
  ...{ folder, sources: [], open: openIn(readPlanFile(tasksPath).plan) },
});

const atTasks = (folder: string): readonly FoundPlan[] =>
  withOpen({ folder, sources: [] }, () => openIn(readPlanFile(join(folder, "tasks.md")).plan));

function fromGsd(folder: string, names: readonly string[]): readonly FoundPlan[] {
  const sources = names.map((name) => join(folder, name));
  return withOpen({ folder, sources }, () =>
    sources.reduce((sum, source) => sum + readGsd(readFileSync(source, "utf8"), "").tasks.length, 0),
  );
}

function fromFile(source: string, workspace: string): readonly FoundPlan[] {
  const folder = specFor(source, workspace);
  if (existsSync(join(folder, "tasks.md"))) return [];
  return withOpen({ folder, sources: [source] }, () => {
    const plan = readPlan(readPlanText(source));
    return plan.dialect === "checklist" || plan.dialect === "gsd" ? 0 : openIn(plan);
  });
}

const openIn = (plan: Plan): number => reportOn([], { plan, text: "" }).delegated.length;

function withOpen(found: Omit<FoundPlan, "open">, count: () => number): readonly FoundPlan[] {
  try {
    const open = count();
    return open === 0 ? [] : [{ ...found, open }];
  } catch (error) {
    if (error instanceof FixpointError || (error instanceof Error && "code" in error)) return [];
    throw error;
  }
}
