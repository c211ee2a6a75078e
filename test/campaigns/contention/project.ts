import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A workspace with a spec that several coordinators want. */
export interface Project {
  readonly workspace: string;
  readonly spec: string;
  /** Of run data. */
  readonly data: string;
}

/** @param tasks How many there are; the second one fails until it was fixed. */
export function createProject(tasks: number): Project {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-contention-")));
  const spec = join(workspace, "spec");
  mkdirSync(spec);
  const lines = Array.from({ length: tasks }, (_, index) => `- [ ] 1.${index + 1} Do it\n`);
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n${lines.join("")}`);
  return { workspace, spec, data: join(spec, ".fixpoint") };
}

/** A file of the project; empty when it is not there. */
export const readIn = (folder: string, name: string): string => {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
