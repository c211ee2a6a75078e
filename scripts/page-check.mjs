// Tests the page of a run in every state, at three widths, light and dark: axe, contrast, touch targets, horizontal
// scrolling, and the cost of 1 000 tasks. Prints `N passed, N failed`.
// usage: node scripts/page-check.mjs [--only state,state] [--pictures folder]
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { inPage } from "./page/in-page.mjs";
import { playOut, sceneNames } from "./page/scenes.mjs";

const widths = [1440, 768, 390];
const narrowest = 360;
const mostHeap = 60;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const { values } = parseArgs({ options: { only: { type: "string" }, pictures: { type: "string" } } });
let passed = 0;
const failed = [];
const expect = (name, problems) => {
  if (problems.length === 0) passed += 1;
  else failed.push(`${name}: ${problems.slice(0, 4).join("; ")}`);
};

async function each(names, look) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { address, shows, end } = await playOut(name);
      const context = await browser.newContext({ reducedMotion: "reduce", hasTouch: true });
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await page.goto(address);
      await page.waitForFunction((text) => document.getElementById("headline")?.textContent.includes(text), shows);
      await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
      await look(name, page, errors);
      await context.close();
      await end();
    }
  };
  await Promise.all([work(), work()]);
  await browser.close();
}

async function showAt(page, width, colorScheme) {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(rest))));
}

async function check(name, page, errors) {
  expect(`${name}: the tab shows the state`, await page.evaluate(inPage.tab));
  if (name === "thousand") await measure(page);
  for (const width of [...widths, narrowest]) {
    await showAt(page, width, "light");
    expect(`${name}, ${width}: nothing scrolls sideways`, await page.evaluate(inPage.sideways));
    expect(`${name}, ${width}: no text is cut without an ellipsis or a scroll bar`, await page.evaluate(inPage.cut));
    if (width > 500) continue;
    expect(`${name}, ${width}: targets`, await page.evaluate(inPage.targets));
    expect(
      `${name}, ${width}: no fixed element is higher than a third of the window`,
      await page.evaluate(inPage.sticky),
    );
  }
  if (name === "failing")
    expect(
      "failing: a limit that is nearly reached is shown",
      (await page.isVisible("[data-level=near]")) ? [] : ["none is"],
    );
  if (name === "asked") await copy(page);
  if (name === "asking") {
    const dead = await page.$$eval("#answers button:not([hidden])", (all) =>
      all.filter((one) => one.ariaDisabled === "true"),
    );
    expect(
      "asking: the buttons for the answers work",
      dead.length === 0 && (await page.isVisible("#say-retry")) ? [] : ["dead"],
    );
  }
  await choose(name, page);
  await page.evaluate(axe);
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
  for (const width of widths) {
    for (const scheme of ["light", "dark"]) {
      await showAt(page, width, scheme);
      // The two schemes must differ only in colours.
      expect(
        `${name}, ${width}, ${scheme}: axe`,
        await page.evaluate(scheme === "light" ? inPage.axe : inPage.colours),
      );
      expect(`${name}, ${width}, ${scheme}: contrast of marks`, await page.evaluate(inPage.marks));
    }
  }
  expect(`${name}: no errors`, errors);
}

async function choose(name, page) {
  await showAt(page, 390, "light");
  await page.evaluate(() => document.getElementById("tree").scrollIntoView());
  // Click, because on a busy machine the events of a tap may be half a second apart, which is a long press.
  await page.click("#tree", { position: { x: 60, y: 70 } });
  await page.waitForSelector("#follow[aria-pressed=false]");
  const top = await page.evaluate(() => document.querySelector("#story h2").getBoundingClientRect().top);
  expect(`${name}: a chosen task is in view`, top >= 0 && top < 844 ? [] : [`its title is at ${top}`]);
  await page.click("#follow");
}

async function copy(page) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#ways button >> nth=0");
  await page.waitForSelector("#ways button:text-is('Copied')");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect("asked: a command is copied", copied.startsWith("fixpoint resume") ? [] : [copied]);
}

async function measure(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  const heap = usedSize / 1024 / 1024;
  expect("1 000 tasks: heap", heap <= mostHeap ? [] : [`${heap.toFixed(1)} MiB`]);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  const [paint, ready] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    performance.now(),
  ]);
  const told = [`heap ${heap.toFixed(1)} MiB`, `first paint ${Math.round(paint)} ms`, `ready ${Math.round(ready)} ms`];
  process.stdout.write(`1 000 tasks: ${told.join(", ")}\n`);
}

const pictures = {
  healthy: ["working", 1180, 680],
  fixes: ["fixes", 1180, 680],
  question: ["asking", 1180, 680],
  telephone: ["asked", 390, 844],
};

async function picture(folder) {
  mkdirSync(folder, { recursive: true });
  const scenes = Object.values(pictures).map(([scene]) => scene);
  await each(scenes, async (scene, page) => {
    const [name, [, width, height]] = Object.entries(pictures).find(([, [of]]) => of === scene);
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `watching-${name}-${colorScheme}.png`) });
    }
  });
}

if (!existsSync(executablePath)) {
  process.stdout.write("no Chromium: the page is not checked\n");
} else if (values.pictures !== undefined) {
  await picture(values.pictures);
} else {
  await each(values.only?.split(",") ?? sceneNames, check);
  for (const line of failed) process.stdout.write(`FAILED ${line}\n`);
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
