/** Executes the steps of a job or of a composite action, as a runner of GitHub Actions does. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/**
 * After a failed step, executes only steps with `always()`.
 *
 * @param job Shared by all steps: `env`, `folder` (the workspace), `temporary`, `log` (printed lines), `orders`
 *   (workflow commands), `summary`, and `uses`, which finds an action.
 */
export async function runSteps(steps, job, { inputs = {}, env = {}, actionPath, onSpawn } = {}) {
  const context = { inputs, steps: {}, github: job.github ?? {}, secrets: job.secrets ?? {} };
  let conclusion = "success";
  for (const step of steps) {
    if (!isDue(step.if, context, conclusion)) continue;
    const outputs = {};
    const ended =
      step.uses === undefined
        ? await runScript(step, job, { context, env, actionPath, onSpawn, outputs })
        : await useAction(step, job, { context, onSpawn, outputs });
    if (step.id !== undefined) context.steps[step.id] = { outputs };
    if (ended !== 0 && step["continue-on-error"] !== true) conclusion = "failure";
  }
  return { conclusion, context };
}

export async function runAction(folder, given, job, options = {}) {
  const { inputs, outputs, runs } = parse(readFileSync(join(folder, "action.yml"), "utf8"));
  const unknown = Object.keys(given).filter((name) => inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`The action has no inputs ${unknown.join(", ")}`);
  const missing = Object.keys(inputs).filter((name) => inputs[name].required === true && given[name] === undefined);
  if (missing.length > 0) throw new Error(`Required inputs are missing: ${missing.join(", ")}`);
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, { default: text = "" }]) => [name, text]));
  const { conclusion, context } = await runSteps(runs.steps, job, {
    ...{ inputs: { ...defaults, ...textsOf(given) }, actionPath: folder },
    ...options,
  });
  const told = Object.entries(outputs).map(([name, { value }]) => [name, fill(value, context)]);
  return { conclusion, outputs: Object.fromEntries(told) };
}

async function useAction(step, job, { context, onSpawn, outputs }) {
  const use = job.uses(step.uses);
  if (use === undefined) throw new Error(`There is no stand-in for ${step.uses}`);
  const result = await use(filled(step.with, context), { onSpawn, env: filled(step.env, context) });
  Object.assign(outputs, result?.outputs);
  return result?.conclusion === "failure" ? 1 : 0;
}

async function runScript(step, job, { context, env: given, actionPath, onSpawn, outputs }) {
  if (actionPath !== undefined && step.shell !== "bash") throw new Error("A script of an action has to name its shell");
  const files = join(job.temporary, "_runner_file_commands");
  mkdirSync(files, { recursive: true });
  const names = ["OUTPUT", "ENV", "PATH", "STATE", "STEP_SUMMARY"];
  const paths = Object.fromEntries(names.map((name) => [`GITHUB_${name}`, join(files, `${name}-${randomUUID()}`)]));
  for (const path of Object.values(paths)) writeFileSync(path, "");
  const script = join(files, `${randomUUID()}.sh`);
  writeFileSync(script, fill(step.run, context));
  const env = {
    ...{ ...job.env, CI: "true", GITHUB_ACTIONS: "true", RUNNER_TEMP: job.temporary, GITHUB_WORKSPACE: job.folder },
    ...paths,
    ...(actionPath !== undefined && { GITHUB_ACTION_PATH: actionPath }),
    ...{ ...given, ...filled(step.env, context) },
  };
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], { cwd: job.folder, env });
  onSpawn?.(child);
  const printed = await printedBy(child);
  obey(printed.text, job);
  Object.assign(outputs, outputsIn(readFileSync(paths.GITHUB_OUTPUT, "utf8")));
  const changed = [paths.GITHUB_ENV, paths.GITHUB_PATH].map((path) => readFileSync(path, "utf8")).join("");
  if (changed !== "") throw new Error(`The step changed the environment of later steps: ${changed}`);
  job.summary += readFileSync(paths.GITHUB_STEP_SUMMARY, "utf8");
  return printed.exitCode;
}

function printedBy(child) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (more) => {
      text += more;
    });
  }
  return new Promise((done) => child.on("close", (code) => done({ exitCode: code ?? 130, text })));
}

function obey(text, job) {
  let token = null;
  for (const line of text.split("\n")) {
    const [, name, data = ""] = /^\s*::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
    if (token !== null) {
      if (line.trim() === `::${token}::`) token = null;
      else job.log.push(line);
    } else if (name === "stop-commands") token = data;
    else if (name === undefined) job.log.push(line);
    else job.orders.push(line.trim());
  }
}

function outputsIn(text) {
  const pairs = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

const textsOf = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const filled = (texts = {}, context) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(String(text), context)]));

const fill = (text, context) => text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, path) => String(valueAt(path, context)));

function valueAt(path, context) {
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(path)) throw new Error(`This runner does not support the expression ${path}`);
  return path.split(".").reduce((value, name) => value?.[name], context) ?? "";
}

function isDue(condition = "success()", context, conclusion) {
  const parts = String(condition)
    .replace(/^\$\{\{|\}\}$/g, "")
    .split("&&")
    .map((part) => part.trim());
  const isHeld = (part) => {
    if (part === "always()") return true;
    if (part === "success()") return conclusion === "success";
    const [, path, sign, text] = /^(\S+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    if (path === undefined) throw new Error(`This runner does not support the condition ${part}`);
    return (String(valueAt(path, context)) === text) === (sign === "==");
  };
  return (conclusion === "success" || parts.includes("always()")) && parts.every(isHeld);
}
