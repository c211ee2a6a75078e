/// <reference lib="dom" />
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, openBrowser, whereThereIsOne } from "../../support/chromium.ts";
import { atWork } from "../../support/cli.ts";
import { type Project, projectWith, works } from "../../support/project.ts";
import { shows, watching } from "../../support/watching.ts";

let browser: Browser;
const untilGo = "touch started; until [ -e go ]; do sleep 0.05; done";
const go = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");
const hostile = "<img src=x onerror=window.ran=1>";

/** A project among other specs: one was never run, one cannot be read. */
function amongOthers(): Project {
  const project = projectWith({ script: `${untilGo}; ${works}` });
  for (const name of [hostile, "broken"]) {
    mkdirSync(join(project.workspace, name, ".fixpoint", "run-1"), { recursive: true });
    writeFileSync(join(project.workspace, name, "tasks.md"), "- [x] 1.1 First\n- [ ] 1.2 Second\n");
  }
  writeFileSync(join(project.workspace, "broken", ".fixpoint", "run-1", "journal-1.ndjson"), "rubbish\n");
  return project;
}

const cellsOn = (page: Page): Promise<string[][]> =>
  page.$$eval("#runs tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));

describe.skipIf(chromiumPath === null).concurrent(`the table of runs in Chromium${whereThereIsOne}`, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("shows how each run stands, what needs a person first, and follows what changes", async () => {
    const project = amongOthers();
    const { page, requests, errors, path, close } = await watching(browser, { ...project, spec: "." });
    const others = [
      ["✗ cannot be read", "broken", "0 of 0", "", "", expect.stringMatching(/^yours: Cannot read the journal/)],
      ["○ not begun", hostile, "1 of 2", "", "", "yours: run it"],
    ];
    await shows(page, "#headline", "1 that cannot be read, 2 not begun");
    expect(await cellsOn(page)).toEqual([...others, ["○ not begun", "spec", "0 of 2", "", "", "yours: run it"]]);
    const { end } = await atWork(project);
    await shows(page, "#runs", "the executor's: 1.1");
    await shows(page, "#headline", "1 at work");
    const since = expect.stringMatching(/^just now$| ago$/);
    expect((await cellsOn(page))[1]).toEqual(["● at work", "spec", "0 of 2", "", since, "the executor's: 1.1"]);
    go(project);
    expect((await end).exitCode).toBe(0);
    await shows(page, "#headline", "1 complete");
    expect((await cellsOn(page))[2]).toEqual(["✓ complete", "spec", "2 of 2", "", since, "nobody's"]);
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => new URL(url).origin !== own)).toEqual([`file://${path}`]);
    expect(errors).toEqual([]);
    expect((await close()).exitCode).toBe(0);
  });

  it("leads to the page of each run and back, and a page can be loaded again", async () => {
    const project = amongOthers();
    const { child, end } = await atWork(project);
    const { page, close } = await watching(browser, { ...project, spec: "." });
    await shows(page, "#headline", "1 at work");
    await page.click("#runs a:text-is('spec')");
    await shows(page, "#headline", "1.1: an executor works on it");
    expect(page.url()).toMatch(/\/runs\/\d+\/$/);
    await page.reload();
    await shows(page, "#headline", "1.1: an executor works on it");
    await page.click("#say-pause:not([aria-disabled=true])");
    await shows(page, "#answer", "Pausing spec");
    await page.click("#all");
    await shows(page, "#headline", "1 paused");
    await page.click("#runs a:text-is('broken')");
    await shows(page, "#headline", "This run cannot be shown: Error: 500 Cannot read the journal");
    await page.goBack();
    await shows(page, "#headline", "1 paused");
    await close();
    child.kill("SIGINT");
    await end;
  });

  it.each(["light", "dark"] as const)(
    "gives axe nothing to find in the %s scheme, and fits 320 pixels",
    async (colorScheme) => {
      const project = amongOthers();
      const { page, close } = await watching(browser, { ...project, spec: "." });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe.source);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 640 });
        const found = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          return (await axe.run()).violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
          );
        });
        expect(found).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      await close();
    },
  );
});
