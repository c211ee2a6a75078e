import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "../../../src/model/random.ts";
import { placeOf } from "./record-files.mjs";

export interface Making {
  readonly folder: string;
  top: string;
  readonly random: Random;
  readonly git: (...words: readonly string[]) => string;
  /** Each character of a path or content stands for one byte. */
  readonly write: (path: string, content: string, mode?: number) => void;
}

export function makingIn(folder: string, top: string, random: Random): Making {
  const made: Making = {
    ...{ folder, top, random },
    git: (...words) => gitIn(made.top, words),
    write: (path, content, mode = 0o644) => {
      const place = placeOf(Buffer.from(made.top).toString("latin1"), path);
      mkdirSync(Buffer.from(dirname(place.toString("latin1")), "latin1"), { recursive: true });
      writeFileSync(place, content, { encoding: "latin1" });
      chmodSync(place, mode);
    },
  };
  mkdirSync(top, { recursive: true });
  return made;
}

export function gitIn(cwd: string, words: readonly string[]): string {
  const settings = ["-c", "protocol.file.allow=always", "-c", "advice.defaultBranchName=false"];
  return execFileSync("git", [...settings, ...words], { cwd, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
}

function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && "status" in error)) throw error;
  }
}

const text = (random: Random): string =>
  Array.from({ length: 1 + random.below(6) }, () => `${random.below(1000)}`).join(random.pick(["\n", "\r\n", " "]));

function makeNested({ top, write }: Making, path: string, hasCommit: boolean, gitFolder?: string): void {
  const inside = join(top, path);
  write(`${path}/inner.txt`, "inner\n");
  const apart = gitFolder === undefined ? [] : [`--separate-git-dir=${gitFolder}`];
  if (gitFolder !== undefined) mkdirSync(dirname(gitFolder), { recursive: true });
  gitIn(inside, ["init", "-q", "--template=", ...apart]);
  if (!hasCommit) return;
  gitIn(inside, ["add", "-A"]);
  gitIn(inside, ["commit", "-qm", "inner"]);
  write(`${path}/inner.txt`, "changed inside\n");
  write(`${path}/loose.txt`, "not tracked inside\n");
}

export const committed: Readonly<Record<string, (making: Making) => void>> = {
  "odd names": ({ write, random }) => {
    for (const name of ["with space", "new\nline", "-dash", ":(glob)**", "star*", 'quo"te', "\xff\xfe", "caf\xe9"])
      if (random.chance(0.6)) write(`${random.pick(["", "odd/", "od d/"])}${name}`, text(random));
  },
  unicode: ({ write, random }) => {
    for (const name of ["nfc-\xc3\xa9", "nfd-e\xcc\x81", "\xe6\x96\x87"]) write(name, text(random));
  },
  "names by case": ({ write, random }) => {
    for (const name of ["README", "readme", "Src/x", "src/x"]) write(name, text(random));
  },
  links: ({ top, write }) => {
    write("target/t.txt", "t\n");
    for (const [name, to] of [
      ["to-file", "a.txt"],
      ["to-folder", "target"],
      ["dangling", "nowhere"],
      ["out", "/etc"],
    ])
      symlinkSync(to ?? "", join(top, name ?? ""));
  },
  "executable files": ({ write }) => {
    write("tool", "#!/bin/sh\n", 0o755);
    write("bin/tool", "#!/bin/sh\n", 0o700);
  },
  "line ends": ({ git, write, random }) => {
    write("crlf.txt", "one\r\ntwo\r\n");
    write("mixed.txt", "one\r\ntwo\n");
    write("eol.code", "one\ntwo\n");
    if (random.chance(0.7))
      write(".gitattributes", random.pick(["*.txt text=auto\n", "* text eol=crlf\n", "*.code eol=lf\n"]));
    git("config", "core.autocrlf", random.pick(["true", "input", "false"]));
  },
  "a large file": ({ write, random }) =>
    write("large.bin", "x".repeat((random.chance(0.1) ? 70_000_000 : 3_000_000) + random.below(100))),
  "ignored but tracked": ({ write, git }) => {
    write("tracked.log", "tracked\n");
    write("logs/tracked.log", "tracked\n");
    git("add", "-f", "tracked.log", "logs/tracked.log");
  },
  "a submodule": (making) => {
    makeNested(making, "modules/sub", true, join(making.top, ".git/modules/sub"));
    making.write(".gitmodules", '[submodule "sub"]\n\tpath = modules/sub\n\turl = ./nowhere\n');
    making.git("add", "modules/sub");
  },
  "folders that a file of the same name follows": ({ write, random }) => {
    for (const name of ["a-b", "a.b", "a0", "a/b", "a/b.c"]) write(name, text(random));
  },
};

export const states: Readonly<Record<string, (making: Making) => void>> = {
  plain: () => {},
  detached: ({ git }) => void git("checkout", "-q", "--detach"),
  "a merge under way": ({ git }) => attempt(() => git("merge", "-q", "other")),
  "a rebase under way": ({ git }) => attempt(() => git("rebase", "-q", "other")),
  "a cherry-pick under way": ({ git }) => attempt(() => git("cherry-pick", "other")),
  "a bisect under way": ({ git }) => void git("bisect", "start", "HEAD", "HEAD~1"),
  "stash entries": ({ git, write }) => {
    for (const content of ["stashed\n", "stashed again\n"]) {
      write("a.txt", content);
      write("only-stashed.txt", content);
      git("stash", "push", "-qu");
    }
  },
  "a linked worktree": (making) => {
    const linked = `${making.top}-linked`;
    making.git("worktree", "add", "-q", "-b", "linked", linked);
    making.top = linked;
  },
  "a shallow clone": (making) => {
    const clone = `${making.top}-clone`;
    gitIn(making.folder, ["clone", "-q", "--depth=1", `file://${making.top}`, clone]);
    making.top = clone;
  },
  "a partial clone": (making) => {
    making.git("config", "uploadpack.allowFilter", "true");
    const clone = `${making.top}-clone`;
    gitIn(making.folder, ["clone", "-q", "--filter=blob:none", `file://${making.top}`, clone]);
    making.top = clone;
    rmSync(join(making.folder, "gone"), { recursive: true, force: true });
  },
  "a sparse checkout": ({ git, random }) =>
    void git(
      "sparse-checkout",
      "set",
      ...random.pick([
        ["--no-cone", "/*", "!/a-b"],
        ["--cone", "target", "bin"],
        ["--cone", "--sparse-index", "bin"],
      ]),
    ),
  "a split index": ({ git }) => void git("update-index", "--split-index"),
  "an index of version 4": ({ git }) => void git("update-index", "--index-version=4", "--untracked-cache"),
};

export const uncommitted: Readonly<Record<string, (making: Making) => void>> = {
  "staged and changed again": ({ write, git, random }) => {
    write("b.txt", `staged ${text(random)}`);
    git("add", "b.txt");
    write("b.txt", `changed ${text(random)}`);
  },
  "staged only": ({ write, git, random }) => {
    write("staged.txt", text(random));
    git("add", "staged.txt");
  },
  "staged and removed": ({ write, git, top }) => {
    write("vanished.txt", "only in the index\n");
    git("add", "vanished.txt");
    rmSync(join(top, "vanished.txt"));
  },
  "intended to be added": ({ write, git }) => {
    write("intended.txt", "intended\n");
    git("add", "-N", "intended.txt");
  },
  unstaged: ({ write, random }) => write("kept.txt", text(random)),
  untracked: ({ write, random }) => {
    write("draft.txt", text(random));
    write("new/draft.txt", text(random), 0o755);
  },
  ignored: ({ write }) => {
    write("secret.log", "ignored\n");
    write("build/out", "ignored\n");
    write("new/x.log", "ignored\n");
  },
  "ignored by the user": ({ write, git, folder }) => {
    writeFileSync(join(folder, "my-ignore"), "*.mine\n");
    git("config", "core.excludesFile", join(folder, "my-ignore"));
    write("x.mine", "ignored\n");
  },
  "nested repositories": (making) => {
    makeNested(making, "nested", true);
    makeNested(making, "deep/nested", making.random.chance(0.5));
  },
  "empty folders": ({ top }) => mkdirSync(join(top, "empty/inner"), { recursive: true }),
  "bits of the index": ({ git }) => {
    git("update-index", "--assume-unchanged", "b.txt");
    git("update-index", "--skip-worktree", "kept.txt");
  },
  removed: ({ top }) => rmSync(join(top, "b.txt"), { force: true }),
};

export function namePrograms({ git, write, folder }: Making): string {
  const mark = join(folder, "program-was-run");
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\necho "$0 $* by $(tr '\\0' ' ' < /proc/$PPID/cmdline)" >> '${mark}'\ncat\n`, {
    mode: 0o755,
  });
  const settings = [
    "filter.x.clean",
    "filter.x.smudge",
    "core.fsmonitor",
    "diff.x.textconv",
    "diff.x.command",
    "core.pager",
  ];
  for (const name of [...settings, "diff.external", "core.sshCommand", "credential.helper"])
    git("config", name, program);
  git("config", "filter.x.required", "true");
  for (const hook of ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction"]) {
    mkdirSync(join(folder, "hooks"), { recursive: true });
    writeFileSync(join(folder, "hooks", hook), `#!/bin/sh\nexec '${program}' ${hook} < /dev/null\n`, { mode: 0o755 });
  }
  git("config", "core.hooksPath", join(folder, "hooks"));
  write(".gitattributes", "*.dat filter=x diff=x\n*.txt filter=x diff=x\n");
  return mark;
}
