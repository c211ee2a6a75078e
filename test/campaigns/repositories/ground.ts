import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Random } from "../../../src/model/random.ts";
import { committed, type Making, makingIn, namePrograms, states, uncommitted } from "./make-repository.ts";

export interface Ground {
  readonly folder: string;
  readonly workspace: string;
  readonly spec: string;
  /**
   * `prefix` (the workspace) and `spec` are relative to `top`; `spec` is null outside of the tree. Each character of a
   * path stands for one byte.
   */
  readonly place: { readonly top: string; readonly prefix: string; readonly spec: string | null };
  readonly gitFolder: string;
  readonly mark: string | null;
  readonly features: readonly string[];
}

const bytes = (path: string): string => Buffer.from(path).toString("latin1");

const plan = "- [ ] 1.1 First\n  - **Verify**: `test -e good`\n- [ ] 1.2 Second\n  - **Verify**: `test -e done`\n";

export function makeGround(random: Random): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-repository-")));
  for (const name of ["bin", "tmp", "records", "state"]) mkdirSync(join(folder, name));
  const making = makingIn(folder, join(folder, random.pick(["repo", "wörk space", "[r]*"])), random);
  const chosen = <Name extends string>(from: Readonly<Record<Name, unknown>>, rate: number): Name[] =>
    (Object.keys(from) as Name[]).filter(() => random.chance(rate));
  const isUnborn = random.chance(0.07);
  const features = { committed: chosen(committed, 0.35), uncommitted: chosen(uncommitted, 0.4) };
  const state = isUnborn ? "no commit yet" : random.pick(Object.keys(states) as [string, ...string[]]);
  const workspaceName = random.pick(["", "", "", "pkg", "pk g/[w]ö*"]);
  begin(making, workspaceName);
  for (const name of features.committed) committed[name]?.(making);
  if (!isUnborn) commit(making);
  states[state]?.(making);
  for (const name of features.uncommitted) {
    // Git may refuse to set these bits in an index with conflicts, or in a sparse or new repository.
    if (name === "bits of the index" && (isUnborn || /under way|sparse|clone/.test(state))) continue;
    uncommitted[name]?.(making);
  }
  const spec = random.pick(["inside", "inside", "top", "outside"]);
  const workspace = join(making.top, workspaceName);
  mkdirSync(workspace, { recursive: true });
  const specFolder =
    spec === "outside" ? join(folder, "specs/spec") : join(spec === "top" ? making.top : workspace, "spec");
  mkdirSync(specFolder, { recursive: true });
  writeFileSync(join(specFolder, "tasks.md"), plan);
  const gitFolder = making.git("rev-parse", "--path-format=absolute", "--git-common-dir");
  const mark = random.chance(0.3) ? namePrograms(making) : null;
  return {
    ...{ folder, workspace, mark, spec: specFolder },
    place: {
      top: bytes(making.top),
      prefix: workspaceName === "" ? "" : `${bytes(workspaceName)}/`,
      spec: spec === "outside" ? null : bytes(relative(making.top, specFolder)),
    },
    gitFolder: Buffer.from(gitFolder.trimEnd(), "latin1").toString(),
    features: [
      ...[state, ...features.committed, ...features.uncommitted, `the spec ${spec}`],
      ...(workspaceName === "" ? [] : [`the workspace in ${workspaceName}`]),
      ...(mark === null ? [] : ["programs named"]),
    ],
  };
}

function begin({ git, write, random }: Making, workspace: string): void {
  git("init", "-q", "--template=", "-b", "main");
  git("config", "core.logAllRefUpdates", "true");
  write(".gitignore", random.pick(["*.log\nbuild\n", "*.log\n/build/\n", "*.log\n!keep.log\nbuild/*\n"]));
  for (const name of ["a.txt", "b.txt", "kept.txt"]) write(name, `${name} ${random.below(100)}\n`);
  if (workspace === "") return;
  const below = bytes(workspace);
  for (const name of ["a.txt", "src/b.txt", "-dash", "star*"])
    write(`${below}/${name}`, `${name} ${random.below(100)}\n`);
  write(`${below}/x.log`, "ignored\n");
}

function commit({ git, write }: Making): void {
  git("add", "-A");
  git("commit", "-qm", "first");
  git("branch", "other");
  write("a.txt", "of main\n");
  git("commit", "-qam", "of main");
  git("checkout", "-q", "other");
  write("a.txt", "of other\n");
  git("commit", "-qam", "of other");
  git("checkout", "-q", "main");
}
