// Draws every chart with Mermaid in Chromium, and fails if a chart is too wide for a page. Downloads Mermaid, which is
// larger than all other development dependencies.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { charts } from "../dist/machines/charts.js";
import { toMermaid } from "../dist/src/runtime/to-mermaid.js";

const mermaid = "mermaid@12.3.0";
const widest = 2000;

const chromium = ["chromium", "chromium-browser", "google-chrome"].find(isThere);
if (chromium === undefined) {
  process.stdout.write("skipped: there is no Chromium to draw the charts in\n");
} else {
  const folder = mkdtempSync(join(tmpdir(), "chart-widths-"));
  try {
    const sizes = measure(chromium, folder);
    for (const [name, size] of Object.entries(sizes)) {
      const isFine = Array.isArray(size) && size[0] <= widest;
      process.stdout.write(
        `${isFine ? "ok  " : "FAIL"} ${name.padEnd(12)} ${[size].flat().join(" x ")}, limit ${widest} wide\n`,
      );
      if (!isFine) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(browser, folder) {
  execFileSync("npm", ["pack", mermaid, "--silent", "--pack-destination", folder]);
  execFileSync("tar", ["-xzf", `${mermaid.replace("@", "-")}.tgz`, "package/dist/mermaid.min.js"], { cwd: folder });
  const texts = Object.fromEntries(Object.entries(charts).map(([name, create]) => [name, toMermaid(create())]));
  const page = join(folder, "page.html");
  writeFileSync(page, pageOf(texts));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom"];
  const options = { encoding: "utf8", maxBuffer: 1 << 28, timeout: 120_000, stdio: ["ignore", "pipe", "ignore"] };
  const drawn = execFileSync(
    browser,
    [...flags, `--user-data-dir=${join(folder, "profile")}`, `file://${page}`],
    options,
  );
  const [, sizes] = /<pre id="sizes">(.*?)<\/pre>/.exec(drawn) ?? [];
  if (sizes === undefined) throw new Error("Cannot read the sizes, expected Chromium to run the page");
  return JSON.parse(sizes);
}

function pageOf(texts) {
  const json = JSON.stringify(texts).replaceAll("<", "\\u003c");
  return `<!doctype html><meta charset="utf-8"><body>
<script src="package/dist/mermaid.min.js"></script>
<script type="module">
  mermaid.initialize({ startOnLoad: false });
  const sizes = {};
  for (const [name, text] of Object.entries(${json})) {
    try {
      const { svg } = await mermaid.render("chart-" + name, text);
      const { width, height } = new DOMParser().parseFromString(svg, "text/html").querySelector("svg").viewBox.baseVal;
      sizes[name] = [Math.ceil(width), Math.ceil(height)];
    } catch {
      sizes[name] = "cannot be drawn";
    }
  }
  const out = document.createElement("pre");
  out.id = "sizes";
  out.textContent = JSON.stringify(sizes);
  document.body.append(out);
</script>`;
}

function isThere(program) {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
