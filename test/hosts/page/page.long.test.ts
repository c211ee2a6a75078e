/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PrintedByTask } from "../../../src/hosts/page/page-data.ts";
import type { TimedRunRecord } from "../../../src/model/record.ts";
import { simulateFaults } from "../../simulation/simulate-faults.ts";
import { chromiumPath, listenTo, openBrowser, whereThereIsOne } from "../../support/chromium.ts";
import { manyTasks } from "../../support/many-tasks.ts";
import { lookedAt, pageFile, pageText, type Shown, shownOf } from "../../support/page-of.ts";
import { someCases } from "../../support/some-cases.ts";
import { startsOf } from "../../support/starts-of.ts";

let browser: Browser;

async function open(shown: Shown, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const { requests, errors } = listenTo(page);
  const address = pageFile(shown);
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return { page, requests, errors, address, close: () => context.close() };
}

const simulated = async (seed: number) => {
  const run = await simulateFaults({ seed });
  const starts = startsOf(run.records, run.policy);
  return { run, shown: shownOf(starts, run.tasks) };
};

const lightsOf = (
  page: Page,
  count: number,
): Promise<{ named: Record<string, string>; lit: Record<string, string> }[]> =>
  page.evaluate((moments) => {
    const scrubber = document.getElementById("scrubber") as HTMLInputElement;
    const follow = document.getElementById("follow") as HTMLElement;
    return Array.from({ length: moments }, (_, moment) => {
      scrubber.value = String(moment);
      scrubber.dispatchEvent(new Event("input"));
      // Clicks two times, because a click draws at once but a move of the scrubber does not.
      follow.click();
      follow.click();
      const named: Record<string, string> = {};
      const lit: Record<string, string> = {};
      for (const button of document.querySelectorAll<HTMLElement>("#lanes button")) {
        const path = button.dataset["path"] ?? "";
        named[path] = button.dataset["state"] ?? "";
        button.click();
        lit[path] = [...document.querySelectorAll<SVGElement>("#chart .lit")]
          .map((each) => each.dataset["state"])
          .join();
        button.click();
      }
      return { named, lit };
    });
  }, count);

describe.skipIf(chromiumPath === null)(`the page in Chromium${whereThereIsOne}`, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("highlights at every moment of simulated runs the states of the charts", async () => {
    const seen = new Set<string>();
    const seeds = Array.from({ length: 20 }, (_, index) => 300 + index);
    for (const seed of someCases(seeds, 3, 2)) {
      const { run, shown } = await simulated(seed);
      const looked = lookedAt(shown);
      const { page, close, errors } = await open(shown);
      const lights = await lightsOf(page, looked.last + 1);
      for (const [moment, light] of lights.entries()) {
        const { lanes } = looked.at(moment);
        const states = Object.fromEntries(lanes.map(({ path, state }) => [path, state]));
        expect([seed, moment, light]).toEqual([seed, moment, { named: states, lit: states }]);
        for (const { path, task } of lanes) {
          if (path.startsWith("batch/")) seen.add("batch");
          if (task?.includes("~") === true) seen.add("part");
        }
      }
      if (run.starts.includes("killed")) seen.add("killed");
      if (run.events.some((event) => event.type === "level.changed" && event.level === "pivot")) seen.add("pivot");
      expect(errors).toEqual([]);
      await close();
    }
    expect([...seen].sort()).toEqual(["batch", "killed", "part", "pivot"]);
  });

  it("has at most 600 elements and 1.5 MB for 10 000 tasks", async () => {
    const shown = manyTasks(10_000);
    expect(pageText(shown).length).toBeLessThan(1_500_000);
    const { page, close } = await open(shown);
    for (const key of ["Home", "PageUp", "End", "ArrowLeft"]) {
      await page.focus("#scrubber");
      await page.keyboard.press(key);
      await page.waitForTimeout(50);
      expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(600);
    }
    await close();
  });

  it.each(["light", "dark"] as const)("passes axe in the %s scheme", async (colorScheme) => {
    for (const seed of [302, 305]) {
      const { shown } = await simulated(seed);
      const { page, close } = await open(shown, { colorScheme });
      await page.evaluate(axe.source);
      for (const button of ["#latest", "#failure"]) {
        await page.click(button);
        await page.waitForTimeout(300);
        const found = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          return (await axe.run()).violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
          );
        });
        expect(found).toEqual([]);
      }
      await close();
    }
  });

  it("can be used by keyboard alone", async () => {
    const { shown } = await simulated(302);
    const { page, close } = await open(shown);
    const moment = (): Promise<number> => page.evaluate(() => Number(document.documentElement.dataset["moment"]));
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForTimeout(60);
    };
    const run = lookedAt(shown);
    const { last } = run;
    expect(await moment()).toBe(last);
    await page.focus("#scrubber");
    await press("ArrowLeft");
    expect(await moment()).toBe(last - 1);
    await press("Shift+ArrowLeft");
    expect(run.at(await moment()).cause).toBe("chooseTask");
    await press("Home");
    expect(await moment()).toBe(0);
    await page.focus("#tree");
    await press("Home");
    const chosen = (): Promise<string | null> =>
      page.evaluate(() => document.querySelector("[aria-selected=true]")?.getAttribute("data-task") ?? null);
    const first = await chosen();
    await press("ArrowDown");
    expect(await chosen()).not.toBe(first);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const reached = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id ?? ""));
    }
    expect([...reached]).toEqual(
      expect.arrayContaining(["tree", "follow", "task", "scrubber", "back", "on", "latest", "failure"]),
    );
    await close();
  });

  it("fits 320 pixels, and does not move with reduced motion", async () => {
    const { shown } = await simulated(302);
    const { page, close } = await open(shown, { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
    for (const button of ["#latest", "#failure", "#back"]) {
      await page.click(button);
      await page.waitForTimeout(60);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    }
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter(
          (each) =>
            getComputedStyle(each).transitionDuration !== "0s" || getComputedStyle(each).animationName !== "none",
        ).length,
    );
    expect(moving).toBe(0);
    await close();
  });

  it("requests nothing, and executes nothing of hostile plans and outputs", async () => {
    const hostile = [
      "</script><script>window.ran = 1</script>",
      "<img src=x onerror='window.ran = 1'>",
      "\u202Ereversed\u202C",
      "</template><svg onload='window.ran = 1'>",
      "a".repeat(10_000_000),
    ];
    const titled = manyTasks(hostile.length, (index) => hostile[index]?.slice(0, 5000) ?? "");
    const { head, starts } = titled.run;
    const judged = starts.map((start) => ({
      ...start,
      records: start.records.map((record, index) => {
        const reason = hostile[Math.floor(index / 6)]?.slice(0, 5000) ?? "";
        const isVerdict = record.type === "answered" && record.effect === "verify";
        return isVerdict ? { ...record, answer: { kind: "rejected", layer: "verify", reason } } : record;
      }) as TimedRunRecord[],
    }));
    const printed: PrintedByTask = Object.fromEntries(
      head.tasks.map(({ id }, index) => {
        const text = hostile[index] ?? "";
        const verify = { command: text.slice(0, 500), exitCode: 1, output: { text, left: 0 } };
        return [id, [{ attempt: 1, message: { text, left: 0 }, verify, changed: { text: `+${text}`, left: 0 } }]];
      }),
    );
    const { page, requests, errors, address, close } = await open({ run: { ...titled.run, starts: judged }, printed });
    const rows = head.tasks;
    for (const [index, { id }] of rows.entries()) {
      await page.evaluate((task) => document.querySelector<HTMLElement>(`[data-task="${task}"]`)?.click(), id);
      await page.waitForFunction(
        (task) =>
          document.querySelector("#story h2")?.textContent?.startsWith(task) === true &&
          document.querySelector("#story pre:not(.diff)") !== null,
        id,
      );
      await page.evaluate(() =>
        document.querySelector<HTMLDetailsElement>("details:has(> .diff)")?.setAttribute("open", ""),
      );
      await page.waitForSelector(".diff .added");
      const shown = await page.evaluate(() => document.querySelector("#story pre:not(.diff)")?.textContent ?? "");
      expect(shown.length).toBe(hostile[index]?.length);
    }
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
    expect(requests).toEqual([address]);
    expect(errors).toEqual([]);
    await close();
  });
});
