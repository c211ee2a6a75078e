// Real runs of a small plan with scripted agents. Each run stops in one state that the page can show.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "dist/src/hosts/cli/main.js");
const name = "csv-to-json";

const titles = [
  "Read the CSV header",
  "Parse quoted fields, with doubled quotes and line breaks inside of them",
  "Reject ragged rows, and name the line",
  "Write JSON lines",
  "Stream large files without holding more than one row in memory",
  "Report progress",
  "Add the command line",
  "Describe it in the README",
];
const planOf = ({ marks = {}, isVerified = true } = {}) =>
  `# Tasks\n\n## Phase 1: Convert\n\n${titles
    .map((title, index) => {
      const id = `1.${index + 1}`;
      const verify = isVerified ? `  - **Verify**: \`./check ${id}\`\n` : "";
      return `- [ ] ${id}${marks[id] ?? ""} ${title}\n  - **Do**: As the title says\n  - **Files**: \`src/${id}.js\`\n  - **Done when**: Its checks pass\n${verify}`;
    })
    .join("")}`;

/** Verify: after the work, the first `others-<task>` checks pass, and the next `left-<task>` checks fail. */
const check = `#!/bin/sh
n=$(cat "../left-$1" 2>/dev/null || echo 0)
o=$(cat "../others-$1" 2>/dev/null || echo 0)
[ -e "src/$1.js" ] || n=5
names="accepts an empty line;keeps a quoted comma;unescapes a doubled quote;reads the last field;counts its lines"
echo "TAP version 13"
i=0
IFS=';'
for name in $names; do
  i=$((i + 1))
  if [ "$i" -gt "$o" ] && [ "$i" -le $((o + n)) ]; then
    printf 'not ok %s - %s\\n  ---\\n  message: expected "a,b" to be one field, got two\\n  at: test/%s.js:%s\\n  ...\\n' "$i" "$name" "$1" "$((11 + i))"
  else
    printf 'ok %s - %s\\n' "$i" "$name"
  fi
done
echo "1..$i"
[ "$n" -eq 0 ]
`;
const agentOf = (body) => `#!/bin/sh
cat > /dev/null
id=$FIXPOINT_TASK_ID
root=$(echo "$id" | cut -d. -f1-2)
n=$(cat "../left-$root" 2>/dev/null || echo 0)
less() { [ "$n" -gt 0 ] && echo $((n - 1)) > "../left-$root"; }
wait() { touch "../at-$id"; i=0; until [ -e ../go ] || [ $i -gt 3000 ]; do i=$((i + 1)); sleep 0.05; done; }
mkdir -p src
echo "Reading tasks.md and src/$root.js"
printf 'export function read(text) {\\n  // %s\\n  return text.split(",");\\n}\\n' "$id" >> "src/$root.js"
echo "Edited src/$root.js: fields are read one by one, so that a comma inside of quotes parts nothing"
echo "Running ./check $root"
${body}
echo "I changed the reader, and its checks should pass."
echo TASK_COMPLETE
`;
const asks = "echo 'BLOCKED: Should a row with too few fields be filled with null, or be an error?'; exit 0";

/**
 * `at`: the task in progress while the page is tested; without it, the run has ended. `live`: `fixpoint watch` serves
 * the page. `shows`: the expected heading.
 */
const scenes = {
  working: { agent: "case $id in 1.6) wait;; esac", at: "1.6", live: true, shows: "1.6:" },
  failing: {
    left: { 1.3: 3 },
    agent: 'case $id in 1.3) [ "$n" = 1 ] && wait; less;; esac',
    at: "1.3",
    shows: "1.3:",
    flags: ["--max-global-iterations", "6"],
  },
  fixes: {
    left: { 1.3: 1 },
    agent: `case $id in 1.3.1) echo 2 > ../others-1.3;; 1.3.1.1) wait;; esac`,
    flags: ["--recovery-mode"],
    at: "1.3.1.1",
    shows: "1.3.1.1:",
  },
  batch: {
    plan: planOf({ marks: { 1.2: " [P]", 1.3: " [P]", 1.4: " [P]", 1.5: " [P]" } }),
    left: { 1.3: 1 },
    agent: "case $id in 1.3*) less;; 1.2|1.4) wait;; esac",
    flags: ["--max-parallel", "4", "--recovery-mode"],
    at: "1.4",
    shows: "side by side",
  },
  paused: { agent: "case $id in 1.4) wait;; esac", at: "1.4", live: true, says: ["pause"], shows: "Paused" },
  asking: { agent: `case $id in 1.3) ${asks};; esac`, live: true, terminal: true, shows: "Waiting for you" },
  asked: { agent: `case $id in 1.3) ${asks};; esac`, live: true, shows: "Waiting for you" },
  stuck: {
    left: { 1.4: 3 },
    agent: "",
    flags: ["--escalation", "--max-pivot-attempts", "1", "--max-research-attempts", "1"],
    shows: "Waiting for you",
  },
  green: { agent: "", shows: "Complete" },
  limit: { left: { 1.3: 9 }, agent: "", flags: ["--max-global-iterations", "5"], shows: "Stopped" },
  unverified: { plan: planOf({ isVerified: false }), agent: "", shows: "Complete" },
  empty: { isRun: false, live: true, shows: "" },
};
export const sceneNames = [...Object.keys(scenes), "thousand"];

export async function playOut(scene) {
  const base = mkdtempSync(join(tmpdir(), "fixpoint-page-"));
  const place = join(base, "work");
  const children = [];
  const end = async () => {
    writeFileSync(join(base, "go"), "");
    for (const child of children) child.kill("SIGINT");
    await Promise.all(children.map((child) => child.ended));
    rmSync(base, { recursive: true, force: true, maxRetries: 9 });
  };
  if (scene === "thousand") return { address: await manyTasks(place), shows: "Complete", end };
  const { plan = planOf(), left = {}, agent = "", flags = [], at, live, says, terminal, isRun, shows } = scenes[scene];
  const spec = join(place, "specs", name);
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), plan);
  for (const [file, text] of Object.entries({ check, agent: agentOf(agent) })) {
    writeFileSync(join(place, file), text);
    chmodSync(join(place, file), 0o755);
  }
  for (const [id, count] of Object.entries(left)) writeFileSync(join(base, `left-${id}`), `${count}\n`);
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: place });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  const env = { ...process.env, XDG_STATE_HOME: join(base, "state"), XDG_CONFIG_HOME: join(base, "config") };
  const begin = (file, words) => {
    const child = spawn(file, words, { cwd: place, env, stdio: ["ignore", "pipe", "ignore"] });
    child.printed = "";
    child.stdout.on("data", (chunk) => {
      child.printed += chunk;
    });
    child.ended = new Promise((settle) => child.once("close", settle));
    children.push(child);
    return child;
  };
  const fixpoint = (...words) => begin(process.execPath, [program, ...words]);
  const words = ["run", name, "--exec", "./agent", "--yes", ...flags];
  if (isRun !== false) {
    const run = terminal
      ? begin("script", ["-qec", ["exec", process.execPath, program, ...words].join(" "), "/dev/null"])
      : fixpoint(...words);
    if (at !== undefined) await until(() => existsSync(join(base, `at-${at}`)));
    else if (!terminal) await run.ended;
  }
  if (says !== undefined) await fixpoint(...says, name).ended;
  if (live) {
    const watch = fixpoint("watch", name);
    await until(() => /file:\S+\n/.test(watch.printed));
    return { address: /file:\S+/.exec(watch.printed)[0], shows, end };
  }
  const page = fixpoint("export", name);
  await page.ended;
  const file = join(base, "run.html");
  writeFileSync(file, page.printed);
  return { address: pathToFileURL(file).href, shows, end };
}

async function manyTasks(place) {
  const { runSpec, exportPage } = await import("../../dist/doors/node.js");
  const spec = join(place, "specs", "many");
  mkdirSync(spec, { recursive: true });
  const boxes = Array.from({ length: 1000 }, (_, index) => {
    const id = `${Math.floor(index / 100) + 1}.${(index % 100) + 1}`;
    return `- [ ] ${id} Convert part ${index + 1} of the table, and check that what comes out is what went in\n`;
  });
  writeFileSync(join(spec, "tasks.md"), `# Tasks\n\n${boxes.join("")}`);
  await runSpec({ spec, workspace: place, executors: { executor: async () => "TASK_COMPLETE" }, yes: true });
  const file = join(place, "run.html");
  writeFileSync(file, await exportPage(spec));
  return pathToFileURL(file).href;
}

async function until(holds) {
  for (let count = 0; !holds(); count += 1) {
    if (count > 1200) throw new Error(`The run of a scene did not reach this state in time: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
