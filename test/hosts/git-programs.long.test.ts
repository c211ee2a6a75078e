import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { acceptWords } from "../support/cli.ts";
import { call } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { lastingFolder, projectAt } from "../support/project.ts";

const env = {
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  // Nothing listens on this port.
  ...{ GH_REPO: "ann/shop", GH_TOKEN: "x", GITHUB_API_URL: "http://127.0.0.1:1" },
};

beforeAll(() => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

interface Trap {
  readonly top: string;
  readonly hit: string;
  readonly git: (...words: readonly string[]) => string;
  readonly isHit: () => boolean;
}

const gitIn =
  (cwd: string) =>
  (...words: readonly string[]): string =>
    execFileSync("git", words, { cwd, encoding: "utf8", stdio: "pipe", env: { ...process.env, ...env } });

function repository(): Trap {
  const top = lastingFolder();
  const git = gitIn(top);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  mkdirSync(join(top, "s"));
  writeFileSync(join(top, "s/tasks.md"), "- [ ] 1.1 A\n  - **Verify**: `test -e a.txt`\n");
  writeFileSync(join(top, "a.txt"), "a\n");
  git("add", "-A");
  git("commit", "-qm", "begin");
  git("switch", "-qc", "work");
  const trace = join(lastingFolder(), "PWNED");
  return {
    top,
    git,
    hit: writeScript(lastingFolder(), "hit", `touch '${trace}'; cat`),
    isHit: () => existsSync(trace),
  };
}

const touch = (path: string): void => utimesSync(path, 1, 1);

const attribute = (top: string, line: string): void => {
  mkdirSync(join(top, ".git/info"), { recursive: true });
  writeFileSync(join(top, ".git/info/attributes"), line);
};

const traps: Record<string, (trap: Trap) => void> = {
  "filter.x.clean": ({ top, git, hit }) => {
    git("config", "filter.x.clean", hit);
    attribute(top, "* filter=x\n");
  },
  "filter.x.process": ({ top, git, hit }) => {
    git("config", "filter.x.process", hit);
    git("config", "filter.x.required", "true");
    attribute(top, "* filter=x\n");
  },
  "a filter whose name ends a setting": ({ top, git, hit }) => {
    git("config", "filter.a=b.clean", hit);
    attribute(top, "* filter=a=b\n");
  },
  "a filter in a file that is included": ({ top, git, hit }) => {
    writeFileSync(join(top, ".git/more"), `[filter "x"]\n\tclean = ${hit}\n`);
    git("config", "include.path", "more");
    attribute(top, "* filter=x\n");
  },
  "a filter of the worktree": ({ top, git, hit }) => {
    git("config", "extensions.worktreeConfig", "true");
    git("config", "--worktree", "filter.x.clean", hit);
    attribute(top, "* filter=x\n");
  },
  "a filter in a .git that is a file": ({ top, git, hit }) => {
    git("config", "filter.x.clean", hit);
    attribute(top, "* filter=x\n");
    const elsewhere = join(lastingFolder(), "git");
    execFileSync("mv", [join(top, ".git"), elsewhere]);
    writeFileSync(join(top, ".git"), `gitdir: ${elsewhere}\n`);
  },
  "a filter of a submodule": ({ top, git, hit }) => {
    const inside = gitIn(join(top, "sub"));
    mkdirSync(join(top, "sub"));
    inside("init", "-q");
    writeFileSync(join(top, "sub/b.txt"), "b\n");
    inside("add", "-A");
    inside("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "b");
    git("-c", "advice.addEmbeddedRepo=false", "add", "sub");
    git("commit", "-qm", "sub");
    inside("config", "filter.x.clean", hit);
    attribute(join(top, "sub"), "* filter=x\n");
    touch(join(top, "sub/b.txt"));
  },
  "core.fsmonitor": ({ git, hit }) => git("config", "core.fsmonitor", hit),
  "core.hooksPath": ({ top, git, hit }) => {
    mkdirSync(join(top, "hooks"));
    for (const name of ["post-index-change", "reference-transaction", "post-checkout"]) {
      writeScript(join(top, "hooks"), name, `${hit} < /dev/null`);
    }
    git("config", "core.hooksPath", "hooks");
  },
  "diff.external": ({ git, hit }) => git("config", "diff.external", hit),
  "diff.x.textconv": ({ top, git, hit }) => {
    git("config", "diff.x.textconv", hit);
    attribute(top, "* diff=x\n");
  },
  "gpg.program": ({ git, hit }) => {
    git("config", "gpg.program", hit);
    git("config", "log.showSignature", "true");
    git("config", "commit.gpgSign", "true");
  },
  "core.pager and core.editor": ({ git, hit }) => {
    git("config", "core.pager", hit);
    git("config", "core.editor", hit);
  },
  alias: ({ git, hit }) => {
    for (const name of ["status", "rev-parse", "config"]) git("config", `alias.${name}`, `!${hit}`);
  },
  "core.sshCommand": ({ git, hit }) => {
    git("config", "core.sshCommand", hit);
    git("remote", "add", "origin", "ssh://127.0.0.1:1/ann/shop");
  },
  "core.gitProxy": ({ git, hit }) => {
    git("config", "core.gitProxy", hit);
    git("remote", "add", "origin", "git://127.0.0.1:1/ann/shop");
  },
  "credential.helper": ({ git, hit }) => {
    git("config", "credential.helper", `!${hit}`);
    git("remote", "add", "origin", "http://127.0.0.1:1/ann/shop");
  },
  "remote.origin.uploadpack": ({ top, git, hit }) => {
    git("remote", "add", "origin", top);
    git("config", "remote.origin.uploadpack", hit);
  },
  "remote.origin.vcs": ({ git, hit }) => {
    git("config", "remote.origin.vcs", "ext");
    git("config", "remote.origin.url", `${hit} x`);
    git("config", "protocol.ext.allow", "always");
  },
  "a remote that is a command": ({ git, hit }) => {
    git("remote", "add", "origin", `ext::${hit}`);
    git("config", "protocol.ext.allow", "always");
  },
  "a missing commit of a partial clone": ({ top, git, hit }) => {
    git("commit", "-q", "--allow-empty", "-m", "next");
    const parent = git("rev-parse", "HEAD~").trim();
    rmSync(join(top, ".git/objects", parent.slice(0, 2), parent.slice(2)));
    git("remote", "add", "origin", top);
    git("config", "remote.origin.uploadpack", hit);
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.partialclonefilter", "tree:0");
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "origin");
  },
};

const starts = {
  doctor: ["doctor", "s"],
  lint: ["lint", "s"],
  status: ["status", "s"],
  run: ["run", "s", "--exec", "true", "--commit", "all"],
  "run --pull-request": ["run", "s", "--exec", "true", "--commit", "all", "--pull-request"],
  "pull-request": ["pull-request", "s", "--exec", "true"],
};

describe.concurrent("before consent", () => {
  it.each(Object.entries(traps))("git does not run %s", async (_, set) => {
    const trap = repository();
    set(trap);
    touch(join(trap.top, "a.txt"));
    for (const [name, words] of Object.entries(starts)) {
      const { exitCode, err } = await call(projectAt(trap.top, join(trap.top, "s")), ...words);
      expect({ name, isHit: trap.isHit() }).toEqual({ name, isHit: false });
      const answer = name === "pull-request" ? "Cannot find a pull request" : words[0] === "run" ? "consent" : "";
      expect({ name, exitCode, err }).toEqual({
        name,
        exitCode: expect.any(Number),
        err: expect.stringContaining(answer),
      });
    }
  });
});

describe.concurrent("during a run", () => {
  function project(script: (trap: Trap) => string) {
    const trap = repository();
    writeFileSync(join(trap.top, "s/tasks.md"), "- [ ] 1.1 A\n- [ ] 1.2 B\n");
    trap.git("commit", "-qam", "plan");
    const body = `cat > /dev/null; ${script(trap)}; echo $FIXPOINT_TASK_ID >> a.txt; echo TASK_COMPLETE`;
    const executor = writeScript(lastingFolder(), "executor.sh", body);
    const start = (...words: readonly string[]) =>
      call(projectAt(trap.top, join(trap.top, "s")), "run", "s", "--exec", executor, ...words);
    const subjects = (): string[] => trap.git("log", "--format=%s").trim().split("\n");
    return { ...trap, start, subjects };
  }

  const once = ({ hit }: Trap, script: string): string => `[ -e '${hit}.once' ] || { touch '${hit}.once'; ${script}; }`;

  const filtered = "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes";

  it("a filter of the repository needs consent, and then runs", async () => {
    const { top, git, start } = project(() => ":");
    git("config", "filter.x.clean", "tr a-z A-Z");
    attribute(top, "a.txt filter=x\n");
    // Commits the file here, because the run does not commit changes that existed at its beginning.
    git("add", "--renormalize", "a.txt");
    git("commit", "-qm", "filtered");
    const asked = await start("--commit", "all");
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining("git filter.x.clean: tr a-z A-Z") });
    expect((await start("--commit", "all", "--yes")).exitCode).toBe(0);
    expect(git("show", "HEAD:a.txt")).toBe("A\n1.1\n1.2\n");
  });

  it.each(["clean", "process"])("a filter.x.%s that an executor adds needs consent before a commit", async (kind) => {
    const add = (trap: Trap) => once(trap, `git config filter.x.${kind} '${trap.hit}'; ${filtered}`);
    const { top, git, hit, start, subjects, isHit } = project(add);
    const stopped = await start("--commit", "all", "--yes");
    expect(stopped).toMatchObject({ exitCode: 3, err: expect.stringContaining(`filter.x.${kind}: ${hit}`) });
    expect({ isHit: isHit(), last: subjects()[0] }).toEqual({ isHit: false, last: "plan" });
    const asked = await start("--commit", "all");
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining(`git filter.x.${kind}: ${hit}`) });
    expect(isHit()).toBe(false);
    git("config", "--unset", `filter.x.${kind}`);
    expect((await start("--commit", "all")).exitCode).toBe(0);
    expect({ isHit: isHit(), first: subjects()[3] }).toEqual({ isHit: false, first: "1.1 A" });
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("a\n1.1\n1.2\n");
  });

  it("a signer that an executor adds is not run before consent", async () => {
    const add = ({ hit }: Trap) => `git config gpg.program '${hit}'; git config commit.gpgSign true`;
    const { start, subjects, isHit } = project(add);
    const stopped = await start("--commit", "all", "--yes");
    expect(stopped).toMatchObject({ exitCode: 3, err: expect.stringContaining("gpg.program") });
    const asked = await start("--commit", "all");
    expect({ isHit: isHit(), last: subjects()[0] }).toEqual({ isHit: false, last: "plan" });
    await start("--commit", "all", ...acceptWords(asked));
    expect(isHit()).toBe(true);
  });

  it("a filter that an executor adds is not run if nothing is committed", async () => {
    const add = ({ hit }: Trap) => `git config filter.x.clean '${hit}'; ${filtered}; touch -d @1 s/../a.txt`;
    const { start, isHit } = project(add);
    expect((await start("--yes")).exitCode).toBe(0);
    expect(isHit()).toBe(false);
  });

  it("hooks and monitors that an executor adds are not run, and stop no commit", async () => {
    const add = ({ hit }: Trap) => `git config core.hooksPath hooks; git config core.fsmonitor '${hit}'`;
    const { top, hit, start, subjects, isHit } = project(add);
    mkdirSync(join(top, "hooks"));
    for (const name of ["pre-commit", "post-commit"]) writeScript(join(top, "hooks"), name, `${hit} < /dev/null`);
    expect((await start("--commit", "all", "--yes")).exitCode).toBe(0);
    expect({ isHit: isHit(), length: subjects().length }).toEqual({ isHit: false, length: 6 });
  });
});
