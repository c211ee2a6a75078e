// How quickly the page shows a run of many tasks, in Chromium: until it is ready, and for a step to any moment.
// usage: node bench/page.mjs [tasks]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { renderPage } from "../dist/src/hosts/page/render-page.js";
import { packFrames } from "../dist/src/runtime/pack-frames.js";

const count = Number(process.argv[2] ?? 10_000);
const steps = [
  ["chooseTask", "delegating", null],
  ["delegated", "delegating", "running"],
  ["delegate", "verifying", null],
  ["verify", "recordingPass", null],
  ["recordPass", "", "passed"],
];

const tasks = Array.from({ length: count }, (_, index) => ({
  ...{ id: `${Math.floor(index / 100) + 1}.${(index % 100) + 1}`, title: `Task number ${index + 1} of a long plan` },
  ...{ madeFor: null, depth: 0, from: 0, done: false },
}));
const frames = tasks.flatMap(({ id: task }, turn) =>
  steps.map(([cause, state, mark], step) => ({
    ...{ version: 1, at: 1_700_000_000_000 + (turn * steps.length + step) * 1377, start: 1, turn: turn + 1 },
    ...{ cause, task, attempt: 1, paused: false, ending: null },
    lanes: [
      { path: "", machine: "spec", state: state === "" ? "choosing" : "working", from: null, task: null },
      ...(state === "" ? [] : [{ path: "task", machine: "task", state, from: null, task }]),
    ],
    marks: mark === null ? [] : [{ task, mark }],
    spent: { delegations: turn + 1, costUsd: turn * 0.0123, tokens: turn * 812, elapsedMs: turn * 6500 },
  })),
);
const recording = {
  ...{ version: 1, spec: "long", run: 1, limits: [{ limit: "maxGlobalIterations", max: 2 * count }] },
  standing: { running: false, paused: false, question: null },
  ...{ tasks, frames: packFrames(frames), left: [] },
};
const packed = (data) => gzipSync(JSON.stringify(data)).toString("base64");
const text = renderPage({ recording: packed(recording), stories: packed({}) });

const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
try {
  const file = join(folder, "run.html");
  writeFileSync(file, text);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("html[data-ready]");
  const ready = await page.evaluate(() => performance.now());
  const taken = await page.evaluate(async (last) => {
    const scrubber = document.getElementById("scrubber");
    const times = [];
    for (let step = 0; step < 200; step += 1) {
      const begun = performance.now();
      scrubber.value = String((step * 7919) % last);
      scrubber.dispatchEvent(new Event("input"));
      document.getElementById("follow").click();
      document.getElementById("follow").click();
      document.body.getBoundingClientRect();
      // Two draws and a layout.
      times.push((performance.now() - begun) / 2);
      await new Promise(requestAnimationFrame);
    }
    return times.sort((one, other) => one - other);
  }, frames.length);
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await browser.close();
  process.stdout.write(
    `${count} tasks, ${frames.length} frames: page ${Math.round(text.length / 1000)} KB, ready after ${Math.round(ready)} ms, ` +
      `a step ${taken[100].toFixed(1)} ms (median), ${taken[190].toFixed(1)} ms (p95), ${nodes} elements\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
