/// <reference lib="dom" />
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askingRun } from "../../support/asking-run.ts";
import { chromiumPath, openBrowser, whereThereIsOne } from "../../support/chromium.ts";
import { atWork } from "../../support/cli.ts";
import { type Project, projectWith, works } from "../../support/project.ts";
import { shows, watching } from "../../support/watching.ts";

let browser: Browser;
const untilGo = "touch started; until [ -e go ]; do sleep 0.05; done";
const hostile = "<img src=x onerror=window.ran=1>";

function amongOthers(): Project {
  const project = projectWith({ script: `${untilGo}; ${works}` });
  for (const name of [hostile, "broken"]) {
    mkdirSync(join(project.workspace, name, ".fixpoint", "run-1"), { recursive: true });
    writeFileSync(join(project.workspace, name, "tasks.md"), "- [x] 1.1 First\n- [ ] 1.2 Second\n");
  }
  writeFileSync(join(project.workspace, "broken", ".fixpoint", "run-1", "journal-1.ndjson"), "rubbish\n");
  return project;
}

describe.skipIf(chromiumPath === null).concurrent(`the list of specs in Chromium${whereThereIsOne}`, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("names each spec, and requests nothing from elsewhere", async () => {
    const { page, requests, errors, path, close } = await watching(browser, { ...amongOthers(), spec: "." });
    await shows(page, "#headline", "3 specs in ");
    expect(await page.$$eval("#specs a", (links) => links.map((link) => link.textContent))).toEqual([
      hostile,
      "broken",
      "spec",
    ]);
    expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => new URL(url).origin !== own)).toEqual([`file://${path}`]);
    expect(errors).toEqual([]);
    expect((await close()).exitCode).toBe(0);
  });

  it("shows whether each run works, waits or is over, and follows it", async () => {
    const { project, control, ended } = await askingRun("- [ ] 1.1 First\n");
    mkdirSync(join(project.workspace, "broken", ".fixpoint", "run-1"), { recursive: true });
    writeFileSync(join(project.workspace, "broken", "tasks.md"), "- [ ] 1.1 First\n");
    writeFileSync(join(project.workspace, "broken", ".fixpoint", "run-1", "journal-1.ndjson"), "rubbish\n");
    mkdirSync(join(project.workspace, "new"));
    writeFileSync(join(project.workspace, "new", "tasks.md"), "- [x] 1.1 First\n- [ ] 1.2 Second\n");
    const { page, close } = await watching(browser, { ...project, spec: "." });
    const states = () =>
      page.$$eval("#specs li", (rows) =>
        rows.map((row) => `${row.textContent} (${row.querySelector("span")?.dataset["kind"]})`),
      );
    expect(await states()).toEqual([
      expect.stringMatching(/^broken Cannot be shown: Cannot read the journal.* \(bad\)$/),
      "new Not run yet: 1 of 2 done (quiet)",
      expect.stringMatching(/^spec Waiting for you: Task 1\.1 waits for a person.* \(ask\)$/),
    ]);
    control.send({ type: "guidance.given", text: "The old one" });
    await ended;
    await shows(page, "#specs", "spec Complete: 1 of 1 done");
    await close();
  });

  it("links to the page of each run and back, and survives a reload", async () => {
    const project = amongOthers();
    const { child, end } = await atWork(project);
    const { page, close } = await watching(browser, { ...project, spec: "." });
    await page.click("#specs a:text-is('spec')");
    await shows(page, "#headline", "1.1: an executor works on it");
    expect(page.url()).toMatch(/\/runs\/\d+\/$/);
    await page.reload();
    await shows(page, "#headline", "1.1: an executor works on it");
    await page.click("#say-pause:not([aria-disabled=true])");
    await shows(page, "#answer", "Pausing spec");
    await page.click("#all");
    await shows(page, "#headline", "3 specs in ");
    await page.click("#specs a:text-is('broken')");
    await shows(page, "#headline", "This run cannot be shown: Error: 500 Cannot read the journal");
    await page.goBack();
    await shows(page, "#headline", "3 specs in ");
    await close();
    child.kill("SIGINT");
    await end;
  });

  it.each(["light", "dark"] as const)("passes axe in the %s scheme, and fits 320 pixels", async (colorScheme) => {
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
  });
});
