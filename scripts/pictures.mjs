// Takes the pictures of docs/watching.md: real runs of small plans with scripted agents, exported and opened in Chromium.
// usage: node scripts/pictures.mjs [folder]
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = process.argv[2] ?? join(root, "docs/pictures");
const program = join(root, "dist/src/hosts/cli/main.js");

const titles = [
  "Read the CSV header",
  "Parse quoted fields",
  "Reject ragged rows",
  "Write JSON lines",
  "Stream large files",
  "Report progress",
  "Add the command line",
  "Describe it in the README",
];
const task = (number, mark = "") =>
  `- [ ] 1.${number}${mark} ${titles[number - 1]}\n  - **Do**: As the title says\n  - **Files**: \`src/1.${number}.js\`\n  - **Done when**: Its checks pass\n  - **Verify**: \`./check 1.${number}\`\n`;
const plan = (marks = {}) =>
  `# Tasks\n\n## Phase 1: Convert\n\n${titles.map((_, index) => task(index + 1, marks[index + 1] ?? "")).join("")}`;

/** An agent that does its work by counting its calls, and a check that fails as often as it is told. */
const check = `#!/bin/sh
n=$(cat "left-$1" 2>/dev/null || echo 0)
names="accepts an empty line;keeps a quoted comma;unescapes a doubled quote;reads the last field;counts its lines"
echo "TAP version 13"
i=0
IFS=';'
for name in $names; do
  i=$((i + 1))
  if [ "$i" -le "$n" ]; then
    printf 'not ok %s - %s\\n  ---\\n  message: expected "a,b" to be one field, got two\\n  at: src/$1.js:%s\\n  ...\\n' "$i" "$name" "$i"
  else
    printf 'ok %s - %s\\n' "$i" "$name"
  fi
done
echo "1..$i"
[ "$n" -eq 0 ]
`;
const agent = (body) => `#!/bin/sh
cat > /dev/null
id=$FIXPOINT_TASK_ID
root=$(echo "$id" | cut -d. -f1-2)
less() { n=$(cat "left-$root" 2>/dev/null || echo 0); [ "$n" -gt 0 ] && echo $((n - 1)) > "left-$root"; }
sleep 0.2
${body}
echo "I changed the reader, and its checks should pass."
echo TASK_COMPLETE
`;

const once =
  '[ -e said ] || { touch said; printf "Task 1.3.1: Fix it FAILED\n- Error: Cannot find module ./quotes.js\n- Attempted fix: Imported it\n- Status: Blocked\n"; exit 0; }';

/** `during`: the task that is at work when the run is looked at; at its end when not given. */
const scenes = {
  healthy: { plan: plan(), agent: agent("case $id in 1.6) sleep 4;; esac"), during: "1.6" },
  fixes: {
    plan: plan(),
    left: { 1.3: 3 },
    agent: agent(`case $id in 1.3) less;; 1.3.1) ${once};; 1.3.1.1) sleep 4; echo 0 > left-1.3;; esac`),
    flags: ["--recovery-mode"],
    during: "1.3.1.1",
  },
  checkpoint: {
    plan: plan(),
    left: { 1.4: 3 },
    agent: agent("echo $$ > src.txt"),
    flags: ["--escalation", "--max-pivot-attempts", "1", "--max-research-attempts", "1"],
  },
  batch: {
    plan: plan({ 2: " [P]", 3: " [P]", 4: " [P]", 5: " [P]" }),
    left: { 1.3: 1 },
    agent: agent("case $id in 1.3*) less;; 1.2|1.4) sleep 4;; esac"),
    flags: ["--max-parallel", "4", "--recovery-mode"],
    during: "1.4",
  },
};

async function main() {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  for (const [name, scene] of Object.entries(scenes)) {
    const page = playOut(name, scene);
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width: 1180, height: 680 },
        reducedMotion: "reduce",
      });
      const tab = await context.newPage();
      await tab.goto(pathToFileURL(page).href);
      await tab.waitForSelector("html[data-ready]");
      await moveTo(tab, scene.at);
      await tab.waitForTimeout(300);
      await tab.screenshot({ path: join(folder, `watching-${name}-${colorScheme}.png`) });
      await context.close();
    }
    rmSync(join(page, ".."), { recursive: true });
  }
  await browser.close();
}

async function moveTo(tab, at) {
  if (at === undefined) return;
  await tab.evaluate((value) => {
    const scrubber = document.getElementById("scrubber");
    scrubber.value = String(value);
    scrubber.dispatchEvent(new Event("input"));
  }, at);
}

/** Run a scene, and export it at its end or while a task is under way. */
function playOut(name, { plan: text, left = {}, agent: body, flags = [], during }) {
  const base = mkdtempSync(join(tmpdir(), "fixpoint-picture-"));
  const place = join(base, "work");
  const spec = join(place, "specs", "csv-to-json");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(spec, "tasks.md"), text);
  for (const [file, content] of [
    ["check", check],
    ["agent", body],
  ]) {
    writeFileSync(join(place, file), content);
    chmodSync(join(place, file), 0o755);
  }
  for (const [id, count] of Object.entries(left)) writeFileSync(join(place, `left-${id}`), `${count}\n`);
  const environment = { ...process.env, XDG_STATE_HOME: join(base, "state"), XDG_CONFIG_HOME: join(base, "config") };
  const call = (...words) =>
    execFileSync(process.execPath, [program, ...words], { cwd: place, env: environment, maxBuffer: 1e8 });
  const words = ["run", "csv-to-json", "--exec", join(place, "agent"), "--yes", ...flags];
  const page = join(base, `${name}.html`);
  const exporting =
    during === undefined
      ? ""
      : `i=0; while [ $i -lt 200 ] && ! "${process.execPath}" "${program}" status csv-to-json | grep -q "running ${during} "; do i=$((i + 1)); sleep 0.1; done; sleep 0.5; "${process.execPath}" "${program}" export csv-to-json > "${page}"; `;
  const run = `"${process.execPath}" "${program}" ${words.map((word) => `'${word}'`).join(" ")} > run.txt 2>&1`;
  execFileSync("sh", ["-c", exporting === "" ? `${run} || true` : `${run} & run=$!; ${exporting} wait $run || true`], {
    cwd: place,
    env: environment,
  });
  if (during === undefined) writeFileSync(page, call("export", "csv-to-json"));
  return page;
}

await main();
