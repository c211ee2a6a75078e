import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { callGit } from "./call-git.ts";
import { decisionsOf } from "./decisions-of.ts";
import { environmentOf } from "./environment-of.ts";
import type { Project } from "./project.ts";
import { type NumberedRecord, readJournals } from "./read-journals.ts";

export interface ProjectEnding {
  readonly parts: Readonly<Record<string, string>>;
  readonly delegations: readonly string[];
}

export function endingOf(project: Project): ProjectEnding {
  const { workspace, spec, dataFolder } = project;
  const { records } = readJournals(project);
  const text = (path: string): string =>
    existsSync(path) ? readFileSync(path, "utf8").replaceAll(project.folder, "FOLDER") : "";
  const files = filesBelow(workspace);
  const reports = files.filter((path) => /stuck[^/]*\.md$/.test(path));
  const delegations = records.flatMap((record) => (record.type === "delegated" ? [record.key] : []));
  const parts = {
    plan: readFileSync(join(spec, "tasks.md"), "latin1"),
    "progress log": text(join(spec, ".progress.md")).replace(/( - | at )[0-9a-f]{7,40}$/gm, "$1COMMIT"),
    summary: text(join(spec, "SUMMARY.md")),
    reports: reports.map((path) => `${path}\n${withoutTimes(text(join(workspace, path)))}`).join("\n"),
    state: withoutCounts(text(join(spec, ".ralph-state.json"))),
    // Skip outputs of Verify, because the moment of a kill determines which run proves a task.
    files: [
      ...new Set(
        files
          .filter((path) => !/%2F(?:verify|before|again|mended)/.test(path))
          .map((path) => path.replace(/(journal|plan)-\d+\./, "$1.").replace(/lease\/\d+\/.*/, "lease")),
      ),
    ].join("\n"),
    ends: records.flatMap((record) => (record.type === "ended" ? [record.ending.outcome] : [])).join("\n"),
    decisions: decisionsOf(records).join("\n").replaceAll(project.folder, "FOLDER"),
    attempts: [...new Set(delegations)].sort().join("\n"),
    history: project.scenario.repository === true ? historyOf(project) : "",
    "pull request": project.forge?.tell() ?? "",
    "ignored folder": text(join(dataFolder, ".gitignore")),
    "counts at the end": countsAtEnd(records).replaceAll(project.folder, "FOLDER"),
  };
  return { parts, delegations };
}

function filesBelow(workspace: string): string[] {
  const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)]));
  return paths
    .map((path) => relative(workspace, path))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
}

function historyOf(project: Project): string {
  const call = (...words: string[]): string => callGit(project.workspace, words, environmentOf(project));
  return call("log", "--name-only", "--format=%s") + call("status", "--short", "--", project.spec);
}

/** Omits the number of delegations, which is compared separately. */
function countsAtEnd(records: readonly NumberedRecord[]): string {
  const end = records.findLast((record) => record.type === "ended");
  if (end?.type !== "ended") return "none";
  const { original, fixes, skipped, tickedByHand, error = "", hint = "" } = end.ending;
  return [`${original} ${fixes} ${skipped.join()} ${tickedByHand}`, error, hint].join("\n");
}

/** Omits the number of done tasks too, which depends on timing in a batch. */
const withoutTimes = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+ ?(?:Z|UTC)?/g, "TIME")
    .replace(/\b(?:\d+h |\d+m )?[\d.]+ ?(?:ms|s|m|h)\b/g, "TIME")
    .replace(/\(\d+\/\d+ tasks done\)/g, "");

/** Omits the number of delegations, which repeated delegations raise. */
const withoutCounts = (text: string): string => text.replace(/"globalIteration": \d+/, '"globalIteration": n');
