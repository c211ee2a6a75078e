import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Project {
  readonly workspace: string;
  readonly spec: string;
  readonly data: string;
}

export function createProject(tasks: number): Project {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-contention-")));
  const spec = join(workspace, "spec");
  mkdirSync(spec);
  const lines = Array.from({ length: tasks }, (_, index) => `- [ ] 1.${index + 1} Do it\n`);
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n${lines.join("")}`);
  return { workspace, spec, data: join(spec, ".fixpoint") };
}

export const readIn = (folder: string, name: string): string => {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
