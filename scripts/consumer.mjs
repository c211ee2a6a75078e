// Installs the packed package into an empty project and uses it there. Fails if the package exceeds its limits.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild-wasm";

const most = { files: 200, bytes: 1_500_000 };

const { devDependencies: versions } = JSON.parse(readFileSync("package.json", "utf8"));

const programs = {
  packages: ["ai", "@langchain/langgraph", "@langchain/core", "@types/node"].map((name) => `${name}@${versions[name]}`),
  texts: ["agent", "orchestrator", "xstate", "browser", "inside"].map((page) => {
    const found = readFileSync(`docs/${page}.md`, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
    const [, text] = [...found].at(-1);
    return { page, text };
  }),
};

const imports = /^import \{([^}]*)\} from ("[^"]+");\n/gm;

const library = `import { start } from "fixpoint/run";
import * as machines from "fixpoint/machines";
import { createActor } from "xstate";

export const task = machines.createTaskMachine();
export const escalation = machines.createEscalationMachine();
export const batch = machines.createBatchMachine();
export const spec = machines.createSpecMachine();
export const made = () => createActor(spec);
export const step = start(task, { root: "1.1" });

const actor = createActor(task, { input: { root: "1.1" } });
actor.getSnapshot().matches("delegating");
// @ts-expect-error no state of the machine
actor.getSnapshot().matches("sleeping");
// @ts-expect-error no event of the machine
actor.send({ type: "stop" });
// @ts-expect-error a task has a root
start(task, { rooot: "1.1" });
// @ts-expect-error a task needs an input
start(task, undefined);
`;

const dir = mkdtempSync(join(tmpdir(), "fixpoint-consumer-"));
const tsc = join(process.cwd(), "node_modules/.bin/tsc");
const run = (file, args, cwd = dir) =>
  execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
try {
  const [{ filename, files, size }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], process.cwd()),
  );
  if (files.length > most.files || size > most.bytes)
    throw new Error(`${files.length} files of ${size} bytes packed, expected at most ${most.files} of ${most.bytes}`);
  const places = [process.cwd(), `${homedir()}/`, dir];
  for (const { path } of files) {
    const place = places.find((each) => readFileSync(path, "utf8").includes(each));
    if (place !== undefined) throw new Error(`${path} names ${place}, expected no path of this machine`);
  }
  process.stdout.write(`${files.length} files of ${size} bytes packed, none of which names a path of this machine\n`);
  writeFileSync(join(dir, "package.json"), '{ "private": true }');
  run("npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    join(dir, filename),
    ...programs.packages,
    "xstate",
    "fast-check",
  ]);
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.keys(exports)
    .filter((door) => !door.endsWith(".json"))
    .map((door) => door.slice(1));
  for (const entry of entries) {
    run("node", ["--input-type=module", "-e", `await import("fixpoint${entry}")`]);
    run("node", ["-e", `require("fixpoint${entry}")`]);
  }
  run("npx", ["--no-install", "fixpoint", "--version"]);
  mkdirSync(join(dir, "specs/demo"), { recursive: true });
  for (const word of ["compiled", "loaded"]) {
    writeFileSync(join(dir, "specs/demo/tasks.md"), `- [ ] 1.1 ${word}\n  - **Verify**: true\n`);
    const told = run("npx", [
      "--no-install",
      "fixpoint",
      "run",
      "demo",
      "--exec",
      "echo TASK_COMPLETE",
      "--yes",
      "--new-run",
    ]);
    if (!told.includes("ALL_TASKS_COMPLETE")) throw new Error(`The command did not complete a run:\n${told}`);
  }
  process.stdout.write(`${entries.length} entries import and require; the command completes a run, twice\n`);
  writeFileSync(join(dir, "library.mts"), library);
  run(tsc, [
    ...["--declaration", "--emitDeclarationOnly", "--strict", "--skipLibCheck", "--exactOptionalPropertyTypes"],
    ...["--target", "es2023", "--module", "nodenext", "--types", "", "library.mts"],
  ]);
  const declared = statSync(join(dir, "library.d.mts")).size;
  if (declared > 2000)
    throw new Error(
      `the declarations of machines have ${declared} bytes, expected at most 2000. Refer to types by name`,
    );
  process.stdout.write("a library exports machines and actors of its own, by name\n");
  const all = entries.map((entry, at) => `export * as door${at} from "fixpoint${entry}";`);
  writeFileSync(join(dir, "doors.mts"), all.join("\n"));
  for (const { page, text } of programs.texts) writeFileSync(join(dir, `${page}.mts`), text);
  const pages = programs.texts.map(({ page }) => `${page}.mts`);
  for (const [resolution, ...files] of [
    ["nodenext", "--types", "", "doors.mts"],
    ["bundler", "--types", "", "doors.mts"],
    ["nodenext", "--skipLibCheck", "--types", "node", ...pages],
    ["bundler", "--skipLibCheck", "--types", "node", ...pages],
  ]) {
    const module = resolution === "bundler" ? "esnext" : "nodenext";
    const words = ["--noEmit", "--strict", "--target", "es2023", "--module", module];
    const { stdout } = spawnSync(tsc, [...words, "--moduleResolution", resolution, ...files], {
      cwd: dir,
      encoding: "utf8",
    });
    // Skip errors in other packages, whose declarations this compiler may reject.
    const ours = stdout.split("\n").filter((line) => /^(?!node_modules\/(?!fixpoint\/))\S/.test(line));
    if (ours.length > 0) throw new Error(`Cannot compile with ${resolution}:\n${ours.join("\n")}`);
  }
  process.stdout.write(
    `${entries.length} declarations and ${pages.length} programs compile, by nodenext and by bundler\n`,
  );
  for (const { page, text } of programs.texts) {
    const { code } = await transform(text, { loader: "ts", format: "esm" });
    const [names, body] = [code.match(imports) ?? [], code.replace(imports, "")];
    const required = names
      .join("")
      .replace(imports, (_all, list, from) => `const {${list.replaceAll(" as ", ": ")}} = require(${from});\n`);
    writeFileSync(join(dir, `${page}.mjs`), code);
    writeFileSync(join(dir, `${page}.cjs`), `${required}(async () => {\n${body}\n})();\n`);
    const expected = [...text.matchAll(/^.*\/\/ => (.*)$/gm)].map(([, line]) => `${line}\n`).join("");
    for (const file of [`${page}.mjs`, `${page}.cjs`]) {
      const printed = run("node", [file]);
      if (printed !== expected) throw new Error(`${file} printed:\n${printed}\nexpected:\n${expected}`);
    }
  }
  process.stdout.write(`${pages.length} programs run as plain JavaScript and as CommonJS\n`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
