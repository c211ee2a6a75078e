// Measures how fast the page shows a run of many tasks in Chromium: the time until the page is ready, and the time of a
// jump to any moment of the run.
// usage: node bench/page.mjs [tasks]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { renderPage } from "../dist/src/hosts/page/render-page.js";
import { Policy } from "../dist/src/model/policy.js";
import { noSeed } from "../dist/src/model/run-seed.js";

const count = Number(process.argv[2] ?? 10_000);
const tasks = Array.from({ length: count }, (_, index) => ({
  ...{ id: `${Math.floor(index / 100) + 1}.${(index % 100) + 1}`, title: `Task number ${index + 1} of a long plan` },
  ...{ fixOf: null, parent: null, done: true },
}));
const nothing = { count: 0, max: null };
const begun = {
  ...{ kind: "begin", stuck: null, level: "normal", considered: [] },
  counts: {
    ...{ sameErrors: nothing, unchanged: nothing, failures: nothing, total: nothing },
    ...{ sinceBest: null, admission: null },
  },
};
const at = 1_700_000_000_000;
const records = tasks.flatMap(({ id: task }, index) => {
  const key = `${task}#1`;
  const made = [
    { effect: "chooseTask", key: `run#${index + 1}/chooseTask`, answer: { kind: "task", root: task, current: task } },
    { effect: "decide", key: `${key}/decide`, answer: begun },
    { type: "delegated", key, task, role: "executor", attempt: 1, retries: 0, elapsedMs: index * 6500 },
    {
      ...{ effect: "delegate", key: `${key}/delegate`, answer: { kind: "replied" } },
      reply: { text: null, exitCode: 0, usage: { costUsd: 0.0123, inputTokens: 800 }, headBefore: null },
    },
    { effect: "verify", key: `${key}/verify`, answer: { kind: "accepted", unverified: false } },
    { effect: "recordPass", key: `${key}/recordPass`, answer: { kind: "passed", commit: null } },
  ];
  return made.map((record, step) => ({ type: "answered", ...record, at: at + (index * made.length + step) * 1377 }));
});
const address = { program: "fixpoint", spec: "long", cwd: null, path: "long" };
const run = {
  head: { spec: "long", run: 1, address, open: count, seed: noSeed, tasks },
  starts: [{ at, policy: Policy.parse({}), records }],
  ...{ atWork: { held: false, alive: false }, left: [] },
};
const packed = (data) => gzipSync(JSON.stringify(data)).toString("base64");
const text = renderPage({ run: packed(run), printed: packed({}) });

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
      // Each step draws twice, so halve the time.
      times.push((performance.now() - begun) / 2);
      await new Promise(requestAnimationFrame);
    }
    return times.sort((one, other) => one - other);
  }, records.length);
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await browser.close();
  process.stdout.write(
    `${count} tasks, ${records.length} records: page ${Math.round(text.length / 1000)} KB, ready after ${Math.round(ready)} ms, ` +
      `a step ${taken[100].toFixed(1)} ms (median), ${taken[190].toFixed(1)} ms (p95), ${nodes} elements\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
