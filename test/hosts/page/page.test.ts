/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulate } from "../../../src/hosts/simulation/simulate.ts";
import type { Frame, TaskRow, TaskStories } from "../../../src/model/frame.ts";
import type { TimedRunRecord } from "../../../src/model/record.ts";
import { splitTurns } from "../../../src/runtime/split-turns.ts";
import { walkTurn } from "../../../src/runtime/walk.ts";
import { chromiumPath, listenTo, openBrowser, whereThereIsOne } from "../../support/chromium.ts";
import { pageFile, pageText, type Shown, shownOf } from "../../support/page-of.ts";
import { someCases } from "../../support/some-cases.ts";
import { startsOf } from "../../support/starts-of.ts";

let browser: Browser;

/** The page of a run in a browser, with what it has asked for and what its policy has stopped. */
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
  const run = await simulate({ seed });
  const starts = startsOf(run.records, run.policy);
  return { run, starts, shown: shownOf(starts, run.tasks) };
};

/** Where machines stand behind each record, by a walk of its own up to that record. */
function statesBehind(starts: ReturnType<typeof startsOf>): Map<TimedRunRecord, Record<string, string>> {
  const states = new Map<TimedRunRecord, Record<string, string>>();
  for (const turn of splitTurns(starts)) {
    turn.records.forEach((record, index) => {
      const { walk } = walkTurn(turn, turn.records.slice(0, index + 1));
      states.set(
        record,
        Object.fromEntries(Object.entries(walk.state.nodes).map(([path, { value }]) => [path, value])),
      );
    });
  }
  return states;
}

/** Of each frame the states that the page lights: those of its buttons, and those of the charts that they show. */
const lightsOf = (
  page: Page,
  count: number,
): Promise<{ named: Record<string, string>; lit: Record<string, string> }[]> =>
  page.evaluate((frames) => {
    const scrubber = document.getElementById("scrubber") as HTMLInputElement;
    const follow = document.getElementById("follow") as HTMLElement;
    return Array.from({ length: frames }, (_, frame) => {
      scrubber.value = String(frame);
      scrubber.dispatchEvent(new Event("input"));
      // A choice is drawn at once.
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

/** A run of many tasks that pass at once. */
function manyTasks(count: number): Shown {
  const tasks: TaskRow[] = [];
  const frames: Frame[] = [];
  for (let number = 1; number <= count; number += 1) {
    const task = `${Math.ceil(number / 100)}.${number % 100}`;
    tasks.push({
      id: task,
      title: `Task number ${number} of a long plan`,
      madeFor: null,
      depth: 0,
      from: 0,
      done: false,
    });
    for (const [cause, state, mark] of [
      ["chooseTask", "delegating", null],
      ["delegated", "delegating", "running"],
      ["delegate", "verifying", null],
      ["verify", "recordingPass", null],
      ["recordPass", "", "passed"],
    ] as const) {
      const at = 1_700_000_000_000 + frames.length * 1377;
      const lane = { path: "task", machine: "task", state, from: null, task };
      frames.push({
        version: 1,
        ...{ at, start: 1, turn: number, cause, task, attempt: 1 },
        lanes: [
          { path: "", machine: "spec", state: state === "" ? "choosing" : "working", from: null, task: null },
          ...(state === "" ? [] : [lane]),
        ],
        marks: mark === null ? [] : [{ task, mark }],
        spent: { delegations: number, costUsd: number * 0.0123, tokens: number * 812, elapsedMs: frames.length * 1300 },
        ...{ paused: false, ending: null },
      });
    }
  }
  return { tasks, frames };
}

describe.skipIf(chromiumPath === null)(`the page in Chromium${whereThereIsOne}`, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("lights at every frame of simulated runs the states that the step function is in", async () => {
    const seen = new Set<string>();
    const seeds = Array.from({ length: 20 }, (_, index) => 300 + index);
    for (const seed of someCases(seeds, 3, 2)) {
      const { run, starts, shown } = await simulated(seed);
      const expected = statesBehind(starts);
      const { frames } = shown;
      const { page, close, errors } = await open(shown);
      const lights = await lightsOf(page, frames.length);
      const records = starts.flatMap((start) => start.records);
      for (const [index, frame] of frames.entries()) {
        const light = lights[index];
        const own = records.findIndex(
          (record) => record.at === frame.at && expected.has(record) && causeOf(record) === frame.cause,
        );
        if (
          own >= 0 &&
          records.filter((record) => record.at === frame.at && causeOf(record) === frame.cause).length === 1
        ) {
          const states = expected.get(records[own] as TimedRunRecord);
          expect([seed, index, light?.named]).toEqual([seed, index, states]);
          expect([seed, index, light?.lit]).toEqual([seed, index, states]);
          seen.add("compared");
        } else {
          expect(light?.named).toEqual(light?.lit);
        }
        for (const { path, task } of frame.lanes) {
          if (path.startsWith("batch/")) seen.add("batch");
          if (path.endsWith("repair")) seen.add("repair");
          if (task?.includes("~") === true) seen.add("part");
        }
      }
      if (run.starts.includes("killed")) seen.add("killed");
      if (run.events.some((event) => event.type === "level.changed" && event.level === "pivot")) seen.add("pivot");
      expect(errors).toEqual([]);
      await close();
    }
    expect([...seen].sort()).toEqual(["batch", "compared", "killed", "part", "pivot", "repair"]);
  });

  it("holds at most 600 elements and 1 MB for 10 000 tasks", async () => {
    const shown = manyTasks(10_000);
    expect(pageText(shown).length).toBeLessThan(1_000_000);
    const { page, close } = await open(shown);
    for (const key of ["Home", "PageUp", "End", "ArrowLeft"]) {
      await page.focus("#scrubber");
      await page.keyboard.press(key);
      await page.waitForTimeout(50);
      expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(600);
    }
    await close();
  });

  it.each(["light", "dark"] as const)("gives axe nothing to find in the %s scheme", async (colorScheme) => {
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

  it("does everything by keyboard", async () => {
    const { shown } = await simulated(302);
    const { page, close } = await open(shown);
    const frame = (): Promise<number> => page.evaluate(() => Number(document.documentElement.dataset["frame"]));
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForTimeout(60);
    };
    const last = shown.frames.length - 1;
    expect(await frame()).toBe(last);
    await page.focus("#scrubber");
    await press("ArrowLeft");
    expect(await frame()).toBe(last - 1);
    await press("Shift+ArrowLeft");
    expect(shown.frames[await frame()]?.cause).toBe("chooseTask");
    await press("Home");
    expect(await frame()).toBe(0);
    await page.focus("#tree");
    await press("Home");
    const chosen = (): Promise<string | null> =>
      page.evaluate(() => document.querySelector("[aria-selected=true]")?.getAttribute("data-task") ?? null);
    const first = await chosen();
    await press("ArrowDown");
    expect(await chosen()).not.toBe(first);
    // Whatever can be pressed is reached by the tabulator.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    const reached = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id ?? ""));
    }
    expect([...reached]).toEqual(
      expect.arrayContaining([
        "tree",
        "follow",
        "story",
        "scrubber",
        "first",
        "turn-back",
        "back",
        "play",
        "on",
        "turn-on",
        "latest",
        "failure",
      ]),
    );
    await close();
  });

  it("fits 320 pixels, and stands still where less motion is wanted", async () => {
    const { shown } = await simulated(302);
    const { page, close } = await open(shown, { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
    for (const button of ["#latest", "#failure", "#first"]) {
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

  it("asks for nothing, and runs nothing of hostile plans and outputs", async () => {
    const hostile = [
      "</script><script>window.ran = 1</script>",
      "<img src=x onerror='window.ran = 1'>",
      "\u202Ereversed\u202C",
      "</template><svg onload='window.ran = 1'>",
      "a".repeat(10_000_000),
    ];
    const { frames, tasks } = manyTasks(hostile.length);
    const rows = tasks.map((task, index) => ({ ...task, title: hostile[index]?.slice(0, 5000) ?? "" }));
    const stories: TaskStories = Object.fromEntries(
      tasks.map(({ id }, index) => {
        const text = hostile[index] ?? "";
        const told = {
          frame: 0,
          at: 0,
          kind: "delegated",
          task: id,
          attempt: 1,
          head: text.slice(0, 5000),
          details: [text.slice(0, 5000)],
        };
        const judged = {
          ...told,
          kind: "judged",
          layers: [{ layer: "verify", kind: "failed", text: text.slice(0, 5000) }],
        };
        const printed = [
          {
            task: id,
            attempt: 1,
            message: { text, left: 0 },
            verify: { command: text.slice(0, 500), exitCode: 1, output: { text, left: 0 } },
          },
        ];
        return [id, { told: [told, judged], printed, left: text.slice(0, 100) }];
      }),
    );
    const { page, requests, errors, address, close } = await open({ frames, tasks: rows, stories });
    for (const [index, { id }] of rows.entries()) {
      await page.evaluate((task) => document.querySelector<HTMLElement>(`[data-task="${task}"]`)?.click(), id);
      await page.waitForFunction(
        (task) =>
          document.querySelector("#story h2")?.textContent?.startsWith(task) === true &&
          document.querySelector("#story pre") !== null,
        id,
      );
      const shown = await page.evaluate(() => document.querySelector("#story pre")?.textContent ?? "");
      expect(shown.length).toBe(hostile[index]?.length);
    }
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
    expect(requests).toEqual([address]);
    expect(errors).toEqual([]);
    await close();
  });
});

const causeOf = (record: TimedRunRecord): string => (record.type === "answered" ? record.effect : record.type);
