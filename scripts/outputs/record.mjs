// Records the real output of tools, as fixtures for `test/digest`:
//   node scripts/outputs/record.mjs                    every family
//   node scripts/outputs/record.mjs tap eslint         the families with these names
//   node scripts/outputs/record.mjs --expect tap       only the expectations for recorded outputs
//
// A family is a file of this folder that exports `family`:
//   name      the name of the file
//   packages  npm packages to install, each with its version; found through the PATH and a parent `node_modules`
//   install   or `async (folder) => {}`: installs the tools into `folder`; may return `{ env }` for all commands
//   version   a shell line whose first printed line is the version of the tool
//   cases     the outputs to record
//
// A case has
//   tool      the name of the tool in our reader
//   name      the name of the fixture, after that of the tool
//   files     path to text: the whole project, so that a person can derive the failures
//   command   a shell line, run in the project
//   expected  ids of the failures, as a person derives them from `files`
//   failed    the tool's count of failures, `ran` of checks run; null or missing if it does not count
//   at        id to `file:line`, for failures with an expected location
//   prepare   a shell line that is run first and not recorded; also `env`, `version` and `timeout` (ms) if they differ
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");
const fixtures = join(root, "test/fixtures/outputs");
// Keep the tools between recordings, because installing them takes longer than everything else.
const tools = join(realpathSync(tmpdir()), "fixpoint-outputs");

const named = process.argv.slice(2);
const isExpectOnly = named[0] === "--expect";
const wanted = isExpectOnly ? named.slice(1) : named;
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".mjs") && file !== "record.mjs")
  .map((file) => file.slice(0, -".mjs".length));
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`No such family: ${unknown.join(", ")}. There are: ${known.join(", ")}\n`);
  process.exit(2);
}

mkdirSync(fixtures, { recursive: true });
for (const name of wanted.length > 0 ? wanted : known) {
  const { family } = await import(pathToFileURL(join(import.meta.dirname, `${name}.mjs`)).href);
  const folder = join(tools, name);
  mkdirSync(folder, { recursive: true });
  const env = isExpectOnly ? {} : await install(family, folder);
  for (const each of family.cases) record(family, each, folder, env);
}
execFileSync("npx", ["biome", "format", "--write", "test/fixtures/outputs"], { cwd: root, stdio: "ignore" });

async function install({ packages = {}, install: own }, folder) {
  const manifest = `${JSON.stringify({ private: true, dependencies: packages }, null, 2)}\n`;
  const path = join(folder, "package.json");
  if (Object.keys(packages).length > 0 && (!existsSync(path) || readFileSync(path, "utf8") !== manifest)) {
    writeFileSync(path, manifest);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" });
  }
  return (await own?.(folder))?.env ?? {};
}

function record(family, each, folder, familyEnv) {
  const base = join(fixtures, `${each.tool.replaceAll(/[^a-z\d]+/gi, "-")}-${each.name}`);
  const before = existsSync(`${base}.json`) ? JSON.parse(readFileSync(`${base}.json`, "utf8")) : {};
  const told = isExpectOnly ? before : run(family, each, folder, familyEnv, base);
  const expectation = {
    tool: each.tool,
    version: told.version,
    command: each.command,
    exitCode: told.exitCode,
    expected: each.expected,
    failed: each.failed ?? null,
    ran: each.ran ?? null,
    ...(each.at && { at: each.at }),
  };
  writeFileSync(`${base}.json`, `${JSON.stringify(expectation, null, 2)}\n`);
}

function run(family, each, folder, familyEnv, base) {
  const project = join(folder, "projects", each.name);
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  for (const [path, text] of Object.entries(each.files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const env = {
    PATH: `${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`,
    HOME: process.env["HOME"],
    LANG: "C.UTF-8",
    npm_config_userconfig: "/dev/null",
    // Some tools use colours even without a terminal.
    ...(each.env?.["FORCE_COLOR"] === undefined && { NO_COLOR: "1" }),
    ...familyEnv,
    ...each.env,
  };
  const shell = (line) => {
    const { stdout, stderr, status } = spawnSync("sh", ["-c", line], {
      cwd: project,
      env,
      encoding: "utf8",
      timeout: each.timeout ?? 300_000,
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const both = stdout === "" || stdout.endsWith("\n") ? `${stdout}${stderr}` : `${stdout}\n${stderr}`;
    const text = both.replaceAll(project, "/project").replaceAll(folder, "/tools");
    return { text: text.replaceAll(process.env["HOME"] ?? "/root", "/home/me"), exitCode: status };
  };
  const line = each.version ?? family.version;
  const version = line ? (shell(line).text.split("\n")[0] ?? "").trim() : null;
  if (each.prepare) shell(each.prepare);
  const { text, exitCode } = shell(each.command);
  writeFileSync(`${base}.txt`, text);
  process.stdout.write(
    `${family.name}: ${each.tool} ${each.name} (exit code ${exitCode}, ${text.length} characters)\n`,
  );
  return { version, exitCode };
}
