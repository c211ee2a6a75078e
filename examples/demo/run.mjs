#!/usr/bin/env node
/**
 * `npm run demo`: copies the demo project to a separate folder, runs fixpoint on it in recovery mode, and prints the
 * commands that show the result.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { git, ownRepository } from "./git.mjs";

const usage = `Usage: node examples/demo/run.mjs [--pull-request | --fleet] [--folder <folder>]

  --pull-request     bring the work to a pull request as well, on a forge that this program simulates
  --fleet            have three specs done by two workers over a private Postgres, and kill one of them
  --folder <folder>  work in this folder, which is new, empty, or holds a demo to continue
                     (a new folder for temporary files by default)
`;
const spec = "invoice-totals";
const plan = `specs/${spec}/tasks.md`;
const project = fileURLToPath(new URL("project", import.meta.url));
const executor = fileURLToPath(new URL("executor.mjs", import.meta.url));
const cli = fileURLToPath(new URL("../../dist/src/hosts/cli/main.js", import.meta.url));

// End quietly if the reader of the output ends, as in `npm run demo | head`.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
process.exitCode = await main();

async function main() {
  const options = readOptions();
  if (options === undefined) return refuse(usage);
  if (options.help) {
    print(usage);
    return 0;
  }
  if (!existsSync(cli)) return refuse(`Cannot find ${cli}, expected it to be built: npm run build\n`);

  // Import this late, because it depends on the build.
  const shipping = options["pull-request"] ? await import("./pull-request/run.mjs") : null;
  const folder = resolve(options.folder ?? mkdtempSync(join(tmpdir(), "fixpoint-demo-")));
  if (!existsSync(join(folder, plan))) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      return refuse(`Cannot use the folder ${folder}, expected an empty folder, or one with the demo\n`);
    }
    setUp(folder, shipping);
  }
  print(`The project is in ${folder}\n\n`);

  const exec = [process.execPath, executor].map(quote).join(" ");
  const exitCode = await (options.fleet
    ? (await import("./fleet/run.mjs")).runFleet({ folder, cli, exec })
    : (shipping?.runWithPullRequest({ folder, spec, exec }) ?? runFixpoint(folder, exec)));
  showResult(folder);
  const words = `${shipping === null ? "" : "--pull-request "}--folder ${quote(folder)}`;
  if (exitCode !== 0 && !options.fleet) print(`\nTo continue the run: node examples/demo/run.mjs ${words}\n`);
  return exitCode;
}

function readOptions() {
  const options = {
    folder: { type: "string" },
    "pull-request": { type: "boolean" },
    fleet: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  try {
    return parseArgs({ options }).values;
  } catch {
    return undefined;
  }
}

function setUp(folder, shipping) {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(project, unfinished, { recursive: true });
  shipping?.addPhase(unfinished, plan);
  if (git(unfinished, "--version") === undefined) {
    process.stderr.write("git is not installed: the demo runs without commits\n");
  } else {
    git(unfinished, "-c", "init.defaultBranch=main", "init", "--quiet");
    git(unfinished, "add", "--all");
    const committed = git(unfinished, "commit", "--quiet", "--message=Invoices, with the plan to correct them");
    if (committed === undefined) throw new Error(`Cannot commit in \`${unfinished}\`, expected git to accept it`);
    shipping?.addRemote(unfinished, folder);
  }
  if (existsSync(folder)) rmdirSync(folder);
  renameSync(unfinished, folder);
}

async function runFixpoint(folder, exec) {
  const reporter = process.stdout.isTTY === true ? "tree" : "plain";
  const args = ["run", spec, "--recovery-mode", "--yes", "--exec", exec, "--reporter", reporter];
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: ownRepository(), stdio: "inherit" });
  // Ignore Ctrl-C here: fixpoint receives it too, and the demo waits until fixpoint has ended.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const [code, signal] = await once(child, "close");
  return code ?? 128 + constants.signals[signal];
}

function showResult(folder) {
  const first = git(folder, "rev-list", "--max-parents=0", "--abbrev-commit", "HEAD");
  if (first === undefined) return print(`\nThe plan as it is now: ${join(folder, plan)}\n`);
  const inFolder = `git -C ${quote(folder)}`;
  print(`\nIts commits: ${inFolder} log --oneline\nWhat changed in its plan: ${inFolder} diff ${first} -- ${plan}\n`);
}

function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function print(text) {
  process.stdout.write(text);
}

function refuse(text) {
  process.stderr.write(text);
  return 2;
}
