import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Surroundings } from "../campaign.ts";
import { preamble, type Scenario, type Start } from "../scenarios/scenario.ts";
import { callGit } from "./call-git.ts";
import { editFile } from "./edit-file.ts";
import { environmentOf } from "./environment-of.ts";
import type { ProjectForge } from "./open-forge.ts";

export interface Project {
  readonly scenario: Scenario;
  readonly root: string;
  readonly program: string;
  readonly folder: string;
  readonly workspace: string;
  readonly spec: string;
  readonly dataFolder: string;
  readonly forge?: ProjectForge;
}

/** The caller must remove `folder`. */
export function newProject(scenario: Scenario, { root, program }: Surroundings): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-crash-")));
  const workspace = join(folder, "workspace");
  const spec = join(workspace, scenario.spec ?? "spec");
  const project = { scenario, root, program, folder, workspace, spec, dataFolder: join(spec, ".fixpoint") };
  for (const path of ["at", "bin", "tmp", "workspace/work"]) mkdirSync(join(folder, path), { recursive: true });
  if (scenario.example !== undefined) cpSync(join(root, scenario.example), workspace, { recursive: true });
  const { plan, executor, verifier, reviewer, operator, programs = {}, files = {} } = scenario;
  writeFiles(workspace, { ...(plan !== undefined && { "spec/tasks.md": plan }), ...files });
  for (const [name, text] of Object.entries({ executor, verifier, reviewer, operator })) {
    if (text !== undefined) writeProgram(join(workspace, `${name}.sh`), preamble + text);
  }
  for (const [name, text] of Object.entries(programs)) writeProgram(join(folder, "bin", name), preamble + text);
  if (scenario.repository === true) {
    const calls = [
      "-c init.defaultBranch=main init --quiet --template=",
      "add --all",
      "commit --quiet --message=Start",
    ];
    for (const words of calls) callGit(workspace, words.split(" "), environmentOf(project));
  }
  return project;
}

export function arrangeStart({ workspace, spec }: Project, { files = {}, edits = [] }: Start): void {
  writeFiles(workspace, files);
  for (const [from, to] of edits) editFile(join(spec, "tasks.md"), from, to);
}

function writeFiles(workspace: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text, { mode: path.endsWith(".sh") ? 0o755 : 0o644 });
  }
}

const writeProgram = (path: string, text: string): void => writeFileSync(path, `${text}\n`, { mode: 0o755 });
