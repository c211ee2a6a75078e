import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Checkouts, openCheckouts, removeCheckouts } from "../../../src/hosts/dbos/checkout.ts";
import { performJob } from "../../../src/hosts/dbos/perform-job.ts";
import type { FleetAnswer, FleetJob, FleetRun } from "../../../src/hosts/dbos/protocol.ts";
import { hashOf } from "../../../src/hosts/node/consent/verify-commands.ts";
import type { Delegation } from "../../../src/ports/executor.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { git as callGit } from "./ground.ts";

const git = (...call: Parameters<typeof callGit>): string => callGit(...call).trim();

interface Place {
  readonly repo: string;
  readonly folder: string;
  readonly base: string;
  readonly ref: string;
}

function makePlace(): Place {
  const folder = temporaryFolder();
  const [workspace, repo] = [join(folder, "repository"), join(folder, "remote.git")];
  mkdirSync(workspace);
  git(folder, "init", "-q", "--bare", "-b", "main", repo);
  git(workspace, "init", "-q", "-b", "main");
  writeFileSync(join(workspace, "tasks.md"), "- [ ] 1.1 A task\n");
  writeFileSync(join(workspace, ".gitignore"), "kept\n");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "A plan");
  const base = git(workspace, "commit-tree", "-p", "HEAD", "-m", "base", "HEAD^{tree}");
  git(workspace, "push", "-q", repo, `${base}:refs/fixpoint/r/base`);
  return { repo, folder, base, ref: "refs/fixpoint/r/base" };
}

type Act = (delegation: Pick<Delegation, "workspace">) => void;

async function answerTo(
  place: Place,
  checkouts: Checkouts,
  work: string | Act | FleetJob["work"],
  id = "r/1",
): Promise<FleetAnswer> {
  const { repo, base, ref, folder } = place;
  const command = typeof work === "string" ? work : "true";
  const run: FleetRun = {
    ...{ repo, base, branch: "b", expect: null, spec: "", policy: {}, agreed: [hashOf(command)] },
    executors: { executor: "agent" },
  };
  const execute = { kind: "execute", key: "1.1#1", role: "executor", taskId: "1.1", attempt: 1, prompt: "p" } as const;
  const job: FleetJob = {
    ...{ run: "r", repo, base, ref, spec: "", executor: "agent" },
    work:
      typeof work === "string"
        ? { kind: "check", command, timeoutMs: 60_000 }
        : typeof work === "object"
          ? work
          : { ...execute, progressFile: ".progress.md" },
  };
  const agent = async (delegation: Delegation): Promise<string> => {
    if (typeof work === "function") work(delegation);
    return "TASK_COMPLETE";
  };
  const purse = { held: async () => null, hold: async () => {}, spend: async () => {} };
  const where = { checkouts, folder, mark: {}, executors: { agent }, purse };
  return performJob(id, { job, run }, where, new AbortController().signal);
}

const refsOf = ({ repo }: Place): string[] => git(repo, "for-each-ref", "--format=%(refname)").split("\n");

function linkFoldersIn(objects: string, target: string): void {
  for (let first = 0; first < 256; first += 1) {
    const folder = join(objects, first.toString(16).padStart(2, "0"));
    rmSync(folder, { recursive: true, force: true });
    symlinkSync(target, folder);
  }
}

describe("a job of a fleet", () => {
  it("pushes nothing for a check with short output, and an unchanged commit for a check with long output", async () => {
    const place = makePlace();
    const checkouts = openCheckouts(join(place.folder, "work"), "own");
    const short = await answerTo(place, checkouts, "echo little; echo written > file");
    expect(short).toMatchObject({ job: "r/1", said: { kind: "check", result: { exitCode: 0, stdout: "little\n" } } });
    expect(refsOf(place)).toEqual([place.ref]);
    const long = await answerTo(place, checkouts, "yes | head -c 5000; echo written > file", "r/2");
    expect(long).toMatchObject({ job: "r/2", left: { ref: expect.stringMatching(/^refs\/fixpoint\/r\/2\/\w{8}$/) } });
    expect(refsOf(place)).toContain(long.left?.ref);
    expect(git(place.repo, "diff", "--stat", place.base, long.left?.commit ?? "")).toBe("");
  });

  it("says whether the worker has a program", async () => {
    const place = makePlace();
    const checkouts = openCheckouts(join(place.folder, "work"), "own");
    const exists = async (program: string): Promise<unknown> =>
      (await answerTo(place, checkouts, { kind: "find", program }, `r/${program}`)).said;
    expect(await exists("git")).toEqual({ kind: "find", exists: true });
    expect(await exists("no-such-program")).toEqual({ kind: "find", exists: false });
  });

  it("leaves the work of an attempt as a commit on its HEAD, without ignored files", async () => {
    const place = makePlace();
    const checkouts = openCheckouts(join(place.folder, "work"), "own");
    const { left } = await answerTo(place, checkouts, ({ workspace }) => {
      writeFileSync(join(workspace, "kept"), "kept\n");
      writeFileSync(join(workspace, "own"), "own\n");
      git(workspace, "add", "own");
      git(workspace, "commit", "-q", "-m", "By the agent");
      writeFileSync(join(workspace, "work"), "work\n");
    });
    expect(git(place.repo, "log", "--format=%s", "-2", `${left?.commit}^`).split("\n")).toEqual([
      "By the agent",
      "A plan",
    ]);
    const names = git(place.repo, "ls-tree", "--name-only", left?.commit ?? "").split("\n");
    expect(names).toEqual([".gitignore", "own", "tasks.md", "work"]);
    const next = await answerTo(place, checkouts, "ls; git status --short; git log --format=%s -1", "r/2");
    expect(next.said).toMatchObject({ result: { stdout: "kept\ntasks.md\nA plan\n" } });
  });

  it("starts from a clean git state: no lock, hook, setting, branch or index of the previous job", async () => {
    const place = makePlace();
    const checkouts = openCheckouts(join(place.folder, "work"), "own");
    await answerTo(place, checkouts, ({ workspace }) => {
      const inside = join(workspace, ".git");
      git(workspace, "config", "core.hooksPath", "hooks");
      git(workspace, "branch", "left");
      mkdirSync(join(inside, "hooks"));
      writeFileSync(join(inside, "hooks", "pre-commit"), "exit 1\n", { mode: 0o755 });
      for (const name of ["index.lock", "MERGE_HEAD"]) writeFileSync(join(inside, name), "");
    });
    let found = "";
    await answerTo(place, checkouts, ({ workspace }) => {
      found = [git(workspace, "config", "--local", "--list"), git(workspace, "branch", "--list", "left")].join("\n");
      git(workspace, "commit", "-q", "--allow-empty", "-m", "By the next");
    });
    expect(found).toBe("core.repositoryformatversion=0\ncore.bare=false\n");
  });

  it.each([".git", "refs", "info", "config", "HEAD", "index", "objects", "objects/info"])(
    "does not follow links that an attempt left in its repository: %s",
    async (name) => {
      const place = makePlace();
      const checkouts = openCheckouts(join(place.folder, "work"), "own");
      const theirs = join(place.folder, "theirs");
      mkdirSync(theirs);
      writeFileSync(join(theirs, "file"), "theirs\n");
      await answerTo(place, checkouts, ({ workspace }) => {
        const linked = name === ".git" ? join(workspace, name) : join(workspace, ".git", name);
        if (name === "objects") return linkFoldersIn(linked, theirs);
        const isFolder = statSync(linked).isDirectory();
        rmSync(linked, { recursive: true });
        symlinkSync(isFolder ? theirs : join(theirs, "file"), linked);
      });
      const next = await answerTo(place, checkouts, "git log --format=%s -1", "r/2");
      expect(next.said).toMatchObject({ result: { stdout: "A plan\n" } });
      expect(readdirSync(theirs)).toEqual(["file"]);
      expect(readFileSync(join(theirs, "file"), "utf8")).toBe("theirs\n");
    },
  );

  it("begins in several processes at the same moment, and after a process that was killed at its beginning", async () => {
    const place = makePlace();
    const root = join(place.folder, "work");
    const names = ["a", "b", "c", "d"];
    const taken = await Promise.all(names.map((own) => openCheckouts(root, own).take(place.repo)));
    for (const checkout of taken) await checkout.place(place.base, place.ref);
    const repositories = join(root, "repositories");
    const [cache = ""] = readdirSync(repositories);
    expect(readdirSync(repositories)).toEqual([cache]);
    const aside = join(repositories, `${cache}-killed`);
    renameSync(join(repositories, cache), aside);
    writeFileSync(join(aside, ".git", "config.lock"), "");
    await removeCheckouts(root, "killed");
    expect(readdirSync(repositories)).toEqual([]);
    const next = await answerTo(place, openCheckouts(root, "next"), "cat tasks.md");
    expect(next.said).toMatchObject({ result: { stdout: "- [ ] 1.1 A task\n" } });
  });

  it("fetches again after a partial fetch", async () => {
    const place = makePlace();
    const root = join(place.folder, "work");
    const first = await answerTo(place, openCheckouts(root, "killed"), "true");
    expect(first.said).toMatchObject({ result: { exitCode: 0 } });
    const [cache = ""] = readdirSync(join(root, "repositories"));
    const inside = join(root, "repositories", cache, ".git");
    const blob = git(place.repo, "rev-parse", `${place.base}:tasks.md`);
    const path = join(inside, "objects", blob.slice(0, 2), blob.slice(2));
    expect(existsSync(path)).toBe(true);
    // Imitates a killed fetch: an object is missing, and no ref was written.
    rmSync(path);
    rmSync(join(inside, "refs", "fetched"), { recursive: true });
    const second = await answerTo(place, openCheckouts(root, "next"), "cat tasks.md", "r/2");
    expect(second.said).toMatchObject({ result: { stdout: "- [ ] 1.1 A task\n" } });
    expect(readFileSync(join(inside, "info", "exclude"), "utf8")).toBe(".fixpoint\n");
  });
});
