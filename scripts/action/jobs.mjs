/** Jobs that `scripts/try-action.mjs` executes, each on a plan in a separate repository. */
import { strictEqual as equal, ok, deepStrictEqual as same } from "node:assert";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runAction, runSteps } from "./runner.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
export const cli = join(root, "dist/src/hosts/cli/main.js");
export const command = `'${process.execPath}' '${cli}'`;
export const base = mkdtempSync(join(tmpdir(), "fixpoint-action-"));
export const secret = "a-key-that-nobody-may-see-77";
export const task = (id, title, verify = `test -e made-${id.split(" ", 1)[0]}`) =>
  `- [ ] ${`${id} ${title}`.trim()}\n  - **Verify**: \`${verify}\`\n`;
const executor = (does = "") => `#!/bin/sh
cat > /dev/null
id=\${FIXPOINT_KEY%%#*}
made() { touch "made-$id"; echo TASK_COMPLETE; }
case $FIXPOINT_KEY in
${does}
*) made ;;
esac
`;
const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b.test",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b.test",
};

export function step(job, given) {
  return runAction(root, { spec: "demo", exec: "./executor.sh", command, ...given }, job);
}

export function jobOf(name, { plan, does, folder = join(base, name, "work"), env = {} }) {
  const temporary = mkdtempSync(join(mkdtempSync(join(base, `${name}-`)), "temp-"));
  if (plan !== undefined) makeRepository(folder, plan, does);
  const home = join(temporary, "home");
  mkdirSync(home);
  const job = {
    ...{ folder, temporary, log: [], orders: [], summary: "", artifacts: {} },
    env: {
      PATH: process.env.PATH,
      HOME: home,
      MY_API_KEY: secret,
      MARK: join(base, `${name}.mark`),
      ...identity,
      ...env,
    },
    uses: (action) => (action === "actions/upload-artifact@v4" ? keep : undefined),
  };
  const keep = ({ name: artifact, path, overwrite, ...others }) => {
    same(others, {});
    equal(overwrite, "true");
    ok(artifact !== "" && !/[":<>|*?\r\n\\/]/.test(artifact), artifact);
    job.artifacts[artifact] = readdirSync(path).sort();
  };
  return job;
}

export function npmOf(job) {
  const bin = join(job.temporary, "bin");
  mkdirSync(bin);
  job.env.PATH = `${bin}:${job.env.PATH}`;
  return join(bin, "npm");
}

function makeRepository(folder, plan, does) {
  mkdirSync(join(folder, "specs/demo"), { recursive: true });
  writeFileSync(join(folder, "specs/demo/tasks.md"), plan);
  writeProgram(join(folder, "executor.sh"), executor(does));
  git(folder, "-c", "init.defaultBranch=main", "init", "--quiet");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message=Plan");
}

function git(folder, ...args) {
  const env = { ...process.env, ...identity, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
}

export function writeProgram(path, text) {
  rmSync(path, { force: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

export function workflow() {
  const [, text] = /^```yaml\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, "docs/ci.md"), "utf8"));
  return parse(text);
}

export function workflowOf(name, { plan, does }) {
  const remote = join(base, `${name}.git`);
  const seed = join(base, `${name}-seed`);
  makeRepository(seed, plan, does);
  git(base, "clone", "--quiet", "--bare", seed, remote);
  const folder = join(base, name, "work");
  const home = join(base, name, "home");
  const cache = join(base, `${name}-cache`);
  const tools = join(base, name, "tools");
  let jobs = 0;
  const next = async (inputs, signals = []) => {
    for (const gone of [folder, home, tools]) rmSync(gone, { recursive: true, force: true });
    for (const made of [folder, home, tools]) mkdirSync(made, { recursive: true });
    writeProgram(join(tools, "npm"), "#!/bin/sh\n");
    const env = { HOME: home, PATH: `${tools}:${process.env.PATH}`, GIT_CONFIG_GLOBAL: join(home, ".gitconfig") };
    const job = jobOf(name, { folder, env });
    jobs += 1;
    const { MARK: mark } = job.env;
    const left = signals.map((signal, index) => ({ signal, mark: index === 0 ? mark : `${mark}.${index}` }));
    job.secrets = { ANTHROPIC_API_KEY: secret };
    job.github = { ref: "refs/heads/main", run_id: jobs, run_attempt: 1 };
    const { uses } = job;
    const paths = (path) =>
      path
        .trim()
        .split("\n")
        .map((line) => (line.startsWith("~/") ? join(home, line.slice(2)) : join(folder, line)));
    const copy = (from, to) => existsSync(from) && cpSync(from, to, { recursive: true });
    const own = async ({ executor: tool, ...given }, options) => {
      equal(tool, "claude");
      const adjusted = {
        ...given,
        exec: "./executor.sh",
        command,
        args: given.args.replace("--permissions edit ", ""),
      };
      job.result = await runAction(root, adjusted, job, options);
      return job.result;
    };
    const stand = {
      "actions/checkout@v4": () => void git(base, "clone", "--quiet", remote, folder),
      "actions/setup-node@v4": () => {},
      "actions/cache/restore@v4": ({ path, key, "restore-keys": keys }) => {
        ok(key.startsWith(keys));
        paths(path).map((at, index) => copy(join(cache, String(index)), at));
      },
      "actions/cache/save@v4": ({ path }) => void paths(path).map((at, index) => copy(at, join(cache, String(index)))),
    };
    job.uses = (action) => stand[action] ?? (action.startsWith("OWNER/fixpoint@") ? own : uses(action));
    const { conclusion } = await runSteps(workflow().jobs.run.steps, job, {
      inputs: { ...inputs, spec: "demo" },
      onSpawn: (child) => signalAtMarks(child, left),
    });
    return { ...job, conclusion, outputs: job.result?.outputs ?? {} };
  };
  return { next };
}

function signalAtMarks(child, signals) {
  const [first] = signals;
  if (first === undefined) return;
  const watcher = watch(dirname(first.mark), () => {
    while (signals.length > 0 && existsSync(signals[0].mark)) child.kill(signals.shift().signal);
  });
  child.on("close", () => watcher.close());
}
