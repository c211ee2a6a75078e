// Counts the functions that are called in three stories, once each: `node bench/house.mjs` after a build. The stories:
//   from a failed Verify until its task has passed
//   a start after a kill between a verdict and its tick
//   from an option of the command line to the first decision
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";

const root = fileURLToPath(new URL("..", import.meta.url));
const limit = "maxFixTasksPerOriginal";
const place = mkdtempSync(join(tmpdir(), "fixpoint-house-"));
try {
  const build = join(place, "build");
  cpSync(join(root, "dist"), build, { recursive: true });
  cpSync(join(root, "package.json"), join(place, "package.json"));
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  for (const file of modulesIn(build)) instrument(file, relative(build, file));
  const tell = (name) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, "bench/house-story.mjs"), place, name], {
      encoding: "utf8",
    });
    const line = stdout.trim().split("\n").at(-1);
    if (!line.startsWith("{")) throw new Error(`The story ${name} printed no figures: ${stdout}${stderr}`);
    return JSON.parse(line);
  };
  const repair = tell("repair");
  tell("killed");
  const resumed = tell("resumed");
  const completed = tell("flag");
  process.stdout.write(`| story | functions | files | wanted |
|---|---|---|---|
| a run from a failed Verify until the task has passed | ${repair.functions} | ${repair.files} | 450, 100 |
| a start after a kill between a verdict and its tick | ${resumed.functions} | ${resumed.files} | 100 files |
| a start with a flag, up to the first decision: how often the policy is completed | ${completed.completions} | | 1 |
| \`${limit}\` in src and machines | ${placesOf(limit)} | | 6 |
`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function modulesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /^(src|machines)\b.*\.js$/.test(name))
    .map((name) => join(folder, name));
}

function instrument(file, name) {
  const text = readFileSync(file, "utf8");
  const inserts = [];
  visit(parse(text, { ecmaVersion: "latest", sourceType: "module" }), ({ type, id, start, end, body }) => {
    if (!type.includes("Function")) return;
    const note = `globalThis.__note?.(${JSON.stringify(name)},${start},${JSON.stringify(id?.name ?? "")});`;
    if (body.type === "BlockStatement") inserts.push([body.start + 1, note]);
    // Search for `=>`, because the parentheses around an object literal are not part of `body`.
    else inserts.push([text.lastIndexOf("=>", body.start) + 2, `{${note}return (`], [end, ")}"]);
  });
  inserts.sort(([a], [b]) => a - b);
  let made = "";
  let from = 0;
  for (const [at, what] of inserts) {
    made += text.slice(from, at) + what;
    from = at;
  }
  writeFileSync(file, made + text.slice(from));
}

function visit(node, tell) {
  if (typeof node.type === "string") tell(node);
  for (const child of Object.values(node)) {
    if (typeof child === "object" && child !== null) visit(child, tell);
  }
}

function placesOf(word) {
  const files = execFileSync("git", ["grep", "-h", "-o", "-w", word, "--", "src", "machines"], {
    cwd: root,
    encoding: "utf8",
  });
  return files.split("\n").filter((line) => line !== "").length;
}
