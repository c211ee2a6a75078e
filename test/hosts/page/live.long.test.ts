/// <reference lib="dom" />
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askingRun } from "../../support/asking-run.ts";
import { atTerminal } from "../../support/at-terminal.ts";
import { chromiumPath, openBrowser, whereThereIsOne } from "../../support/chromium.ts";
import { atWork, call, launch, run, runWords } from "../../support/cli.ts";
import { type Project, projectWith, twoTasks, works } from "../../support/project.ts";
import { recordsOf } from "../../support/traces.ts";
import { until } from "../../support/until.ts";
import { openedPage, shows, watching } from "../../support/watching.ts";

let browser: Browser;
const untilGo = "touch started; until [ -e go ]; do sleep 0.05; done";
const go = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");

const pressed = async (page: Page, word: string): Promise<string> => {
  await page.click(`#say-${word}:not([aria-disabled=true])`);
  return await answerOn(page);
};

const kindsIn = (project: Project): unknown[] => [
  ...new Set(
    recordsOf(project).flatMap((record) => ("by" in record && typeof record.by === "object" ? [record.by.kind] : [])),
  ),
];

const answerOn = async (page: Page): Promise<string> => {
  await page.waitForFunction(() => (document.getElementById("answer")?.textContent ?? "").length > 1);
  return (await page.textContent("#answer")) ?? "";
};

const said = (project: Project): unknown[] =>
  recordsOf(project).flatMap((record) => {
    if (!("by" in record) || typeof record.by !== "object") return [];
    const ending = record.type === "ended" && { ending: { ...record.ending, durationMs: 0 } };
    return [{ ...record, ...ending, at: 0, by: typeof record.by.word }];
  });

describe.skipIf(chromiumPath === null).concurrent(`the page of a live run in Chromium${whereThereIsOne}`, () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("shows the changes of an attempt while it works and at its end", async () => {
    const project = projectWith({ script: `echo one > one; ${untilGo}; echo more >> one; touch two; made` });
    const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: project.workspace });
    git("init", "-q");
    const { end } = await atWork(project);
    const { page, errors, close } = await watching(browser, project);
    await shows(page, "#headline", "1.1: an executor works on it");
    await shows(page, "#story", "What the attempt has changed so far");
    await page.waitForSelector(".diff .added:has-text('+one')");
    go(project);
    expect((await end).exitCode).toBe(0);
    await page.click("[data-task='1.1']");
    await shows(page, "#story", "What the attempt changed");
    await page.waitForSelector(".diff .added:has-text('+more')");
    expect(errors).toEqual([]);
    await close();
  });

  it("is opened from a file that belongs to the user, and updates without a reload", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const { end } = await atWork(project);
    const { page, requests, errors, path, close } = await watching(browser, project);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await shows(page, "#headline", "1.1: an executor works on it");
    await shows(page, "#link", "connected");
    go(project);
    expect((await end).exitCode).toBe(0);
    await shows(page, "#headline", "Complete: ");
    await shows(page, "#spent", "2 of 2 done");
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => new URL(url).origin !== own)).toEqual([`file://${path}`]);
    expect(requests.filter((url) => url === page.url())).toHaveLength(1);
    expect(errors).toEqual([]);
    expect((await close()).exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it("shows the output of an executor live, to its last line", async () => {
    const script = "touch started printed; tail -f -n +1 printed & until [ -e go ]; do sleep 0.05; done; kill $!; made";
    const project = projectWith({ plan: "- [ ] 1.1 First\n", script });
    const { end } = await atWork(project);
    const { page, close } = await watching(browser, project);
    let all = "";
    for (const line of ["one\n", "two\n", "a line that has no end yet"]) {
      all += line;
      appendFileSync(join(project.workspace, "printed"), line);
      await page.waitForFunction((text) => document.querySelector("#tail pre")?.textContent === text, all);
    }
    go(project);
    expect((await end).exitCode).toBe(0);
    await page.waitForFunction(() => document.getElementById("tail") === null);
    await shows(page, "#story", "passed 1.1");
    await close();
  });

  it("counts the time of the run on while an executor works", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n", script: `${untilGo}; made` });
    const { end } = await atWork(project);
    const { page, close } = await watching(browser, project);
    await shows(page, "#headline", "1.1: an executor works on it");
    const spent = () => page.textContent("#spent");
    for (let seen = 0; seen < 3; seen += 1) {
      const before = await spent();
      await page.waitForFunction((text) => document.getElementById("spent")?.textContent !== text, before);
    }
    go(project);
    expect((await end).exitCode).toBe(0);
    await shows(page, "#spent", "ended ");
    await close();
  });

  it("follows the end of the live output until the user scrolls up, across redraws", async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
    const project = projectWith({
      plan: "- [ ] 1.1 First\n",
      script: `cat lines; touch started; until [ -e more ]; do sleep 0.05; done; echo one more; ${untilGo}; made`,
    });
    writeFileSync(join(project.workspace, "lines"), `${lines}\n`);
    const { end } = await atWork(project);
    const { page, close } = await watching(browser, project);
    const hidden = () =>
      page.$eval("#tail pre", (pre) => Math.round(pre.scrollHeight - pre.clientHeight - pre.scrollTop));
    const top = () => page.$eval("#tail pre", (pre) => pre.scrollTop);
    const redraw = async () => {
      // Other moments have no live output, so the return to the last moment draws the story again.
      await page.focus("#scrubber");
      await page.keyboard.press("Home");
      await page.waitForFunction(() => document.getElementById("tail") === null);
      await page.keyboard.press("End");
      await shows(page, "#tail pre", "line 99");
    };
    await shows(page, "#tail pre", "line 99");
    expect(await hidden()).toBeLessThan(4);
    await page.$eval("#tail pre", (pre) => {
      pre.scrollTop = 100;
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    writeFileSync(join(project.workspace, "more"), "");
    await shows(page, "#tail pre", "one more");
    expect(await top()).toBe(100);
    await redraw();
    expect(await top()).toBe(100);
    await page.$eval("#tail pre", (pre) => {
      pre.scrollTop = pre.scrollHeight;
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await redraw();
    expect(await hidden()).toBeLessThan(4);
    go(project);
    expect((await end).exitCode).toBe(0);
    await close();
  });

  it("shows the acts that the stream of a known tool reports, and its raw output on demand", async () => {
    const project = projectWith({
      plan: "- [ ] 1.1 First\n",
      script: `head -1 stream; touch started; until [ -e more ]; do sleep 0.05; done; tail -n +2 stream; ${untilGo}`,
    });
    const stream = join(import.meta.dirname, "../../fixtures/streams/claude-2.1.330-pass.ndjson");
    copyFileSync(stream, join(project.workspace, "stream"));
    const { child, end } = await atWork(project);
    const { page, close } = await watching(browser, project);
    await shows(page, "#tail pre", "(the agent has not acted yet)");
    writeFileSync(join(project.workspace, "more"), "");
    await shows(page, "#tail pre", "TASK_COMPLETE");
    const acts = "I look at it.\nBash echo a > a.txt\nThe task is done as asked.\n\nTASK_COMPLETE\n";
    expect(await page.textContent("#tail pre")).toBe(acts);
    await page.click("summary:text-is('Its raw output')");
    await shows(page, "#tail + details pre", '{"type":"system","subtype":"init"');
    child.kill("SIGKILL");
    await end;
    await shows(page, "#tail summary", "Output of the agent until it was interrupted");
    expect(await page.textContent("#tail pre")).toBe(acts);
    await shows(page, "#tail + details pre", '{"type":"system","subtype":"init"');
    await close();
  });

  it("shows the output of one parallel task after later ones ended", async () => {
    const plan = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n";
    const later = "touch started; until [ -e more ]; do sleep 0.05; done; echo still here";
    const project = projectWith({ plan, script: `[ $id = 1.2 ] && { made; exit; }; ${later}; ${untilGo}; made` });
    const { end } = await atWork(project);
    await until(() =>
      recordsOf(project).some((record) => record.type === "answered" && /^1\.2#1\/verify/.test(record.key)),
    );
    const { page, close } = await watching(browser, project);
    await page.click("[data-task='1.1']");
    await page.waitForSelector("#tail");
    writeFileSync(join(project.workspace, "more"), "");
    await shows(page, "#tail pre", "still here");
    go(project);
    expect((await end).exitCode).toBe(0);
    await close();
  });

  it("executes nothing of the output of an executor or a plan, and requests nothing for it", async () => {
    const hostile = [
      "<img src=http://evil.test/x onerror='window.ran = 1'>",
      "</script><script>window.ran = 1</script>",
      "</pre></details><iframe srcdoc='<script>parent.ran = 1</script>'></iframe><svg onload='window.ran = 1'>",
      "<link rel=stylesheet href=//evil.test/x><meta http-equiv=refresh content='0;url=http://evil.test/'>",
      "event: end\ndata: {}\n",
      "\u001b]8;;http://evil.test/\u0007link\u001b]8;;\u0007 \u001b[2J\u202Ereversed\u202C",
    ];
    const project = projectWith({
      plan: `- [ ] 1.1 ${hostile[1]} ${hostile[0]}\n`,
      script: `cat hostile; ${untilGo}; broke "$(cat hostile)"`,
    });
    writeFileSync(join(project.workspace, "hostile"), hostile.join("\n"));
    const { end } = await atWork(project);
    const { page, requests, errors, path, close } = await watching(browser, project);
    await shows(page, "#tail pre", "reversed");
    const printed = (await page.textContent("#tail pre")) ?? "";
    for (const text of hostile.slice(0, 5)) expect(printed).toContain(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
    expect(printed).not.toMatch(/[\u001b\u0007\u202e]/);
    go(project);
    await end;
    await shows(page, "#story", "window.ran");
    await page.waitForFunction(() => document.getElementById("tail") === null);
    for (const summary of await page.locator("#story summary").all()) await summary.click();
    const found = await page.evaluate(() => ({
      ran: (globalThis as { ran?: number }).ran,
      foreign: document.querySelectorAll("img, iframe, link[rel=stylesheet], #story svg, #story script").length,
    }));
    expect(found).toEqual({ ran: undefined, foreign: 0 });
    const own = new URL(page.url()).origin;
    expect(requests.filter((url) => new URL(url).origin !== own)).toEqual([`file://${path}`]);
    expect(errors).toEqual([]);
    await close();
  });

  it("records pause, guidance and resume as the command line does", async () => {
    const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";
    const projects = [
      projectWith({ plan, script: `${untilGo}; made` }),
      projectWith({ plan, script: `${untilGo}; made` }),
    ];
    const [there, here] = projects as [Project, Project];
    const runs = await Promise.all(projects.map((project) => atWork(project)));
    const { page, close } = await watching(browser, here);
    for (const words of [["pause"], ["say", "guidance", "Use the pool"], ["resume"]]) {
      expect(await call(there, ...words, there.spec)).toMatchObject({ exitCode: 0 });
    }
    expect(await pressed(page, "pause")).toMatch(/^Pausing /);
    await shows(page, "#headline", "Paused");
    await page.fill("#guidance", "Use the pool");
    await page.click("#guide");
    expect(await answerOn(page)).toMatch(/^Received: /);
    expect(await pressed(page, "resume")).toMatch(/^Resumed: /);
    await shows(page, "#headline", "1.1: an executor works on it");
    expect(said(here)).toEqual(said(there));
    expect(said(here)).toMatchObject(["said", "guided", "said", "said"].map((type) => ({ type })));
    expect([kindsIn(here), kindsIn(there)]).toEqual([["page"], ["program"]]);
    for (const project of projects) go(project);
    for (const { end } of runs) expect((await end).exitCode).toBe(0);
    await close();
  });

  it("stops a run as the command line does", async () => {
    const projects = [projectWith({ script: untilGo }), projectWith({ script: untilGo })];
    const [there, here] = projects as [Project, Project];
    const runs = await Promise.all(projects.map((project) => atWork(project)));
    const { page, close } = await watching(browser, here);
    expect(await call(there, "stop", there.spec)).toMatchObject({ exitCode: 0 });
    expect(await pressed(page, "stop")).toMatch(/^(Stopped|Will stop)/);
    const [one, other] = await Promise.all(runs.map(({ end }) => end));
    expect([one?.exitCode, other?.exitCode]).toEqual([130, 130]);
    await shows(page, "#headline", "the run can be continued");
    expect(said(here)).toEqual(said(there));
    expect(recordsOf(here).map(({ type }) => type)).toEqual(recordsOf(there).map(({ type }) => type));
    await page.waitForFunction(() => document.querySelectorAll("#buttons [aria-disabled=false]").length === 0);
    await close();
  });

  it.each(["retry", "skip", "stop"])("answers a question with %s as the command line does", async (word) => {
    const runs = await Promise.all([askingRun("- [ ] 1.1 First\n"), askingRun("- [ ] 1.1 First\n")]);
    const [there, here] = runs as [(typeof runs)[0], (typeof runs)[0]];
    const { page, close } = await watching(browser, here.project);
    await shows(page, "#headline", "Waiting for you since ");
    await shows(page, "#question", "Which database?");
    expect(await atTerminal(there.project, "say", word, there.project.spec)).toMatchObject({ exitCode: 0 });
    expect(await pressed(page, word)).toMatch(/^Received: /);
    expect(said(here.project)).toEqual(said(there.project));
    expect(said(here.project)).toHaveLength(1);
    expect([kindsIn(here.project), kindsIn(there.project)]).toEqual([["page"], ["terminal"]]);
    await close();
    for (const { stop, ended } of runs) {
      stop.abort();
      await ended;
    }
  });

  it("gives a question its answer in words", async () => {
    const { project, ended } = await askingRun("- [ ] 1.1 First\n");
    const { page, close } = await watching(browser, project);
    await shows(page, "#guidance-name", "Your answer");
    await page.fill("#guidance", "The old one");
    await page.click("#guide");
    expect(await answerOn(page)).toMatch(/^Received: /);
    await ended;
    await shows(page, "#headline", "Complete: 1 unverified");
    expect(await page.isHidden("#asked")).toBe(true);
    await close();
  });

  it("shows no past error of a done task, the fix in its limits, and a question over several lines", async () => {
    const project = projectWith({
      plan: twoTasks,
      script: [
        '[ "$id" = 1.1 ] && broke hard',
        '[ "$id" = 1.1.1 ] && { touch one; made; }',
        '[ "$id" = 1.2 ] && printf "BLOCKED: Which database?\\nPostgres or SQLite?\\n"',
        "true",
      ].join("\n"),
    });
    expect((await run(project, "--recovery-mode")).exitCode).toBe(3);
    const { page, close } = await watching(browser, project);
    await shows(page, "#question", "Which database?\nPostgres or SQLite?");
    expect(await page.textContent("#question")).not.toContain("Verify failed");
    const asking = await page.textContent("[data-layer=signal]");
    expect(asking).toBe("? signal: undecided: Which database?\nPostgres or SQLite?");
    await page.click("[data-task='1.1']");
    await shows(page, "#story h2", "1.1 First");
    expect(await page.$$("#story .error")).toEqual([]);
    await shows(page, "#story .gauges", "--max-fix-tasks of 1.1: 1 of ");
    await close();
  });

  it("is served by a run with --watch, as long as the run works", async () => {
    const project = projectWith({ script: `${untilGo}; ${works}` });
    const run = launch(project.workspace, runWords(project, "--yes", "--watch"));
    const { page, path } = await openedPage(browser, run);
    await shows(page, "#headline", "1.1: an executor works on it");
    go(project);
    expect((await run.end).exitCode).toBe(0);
    await shows(page, "#headline", "Complete: ");
    await shows(page, "#link", "the server has ended");
    expect(existsSync(path)).toBe(false);
    await page.context().close();
  });

  it("does not prevent the interrupt of a run that serves it", async () => {
    const project = projectWith({ script: untilGo });
    const run = launch(project.workspace, runWords(project, "--yes", "--watch"));
    const { page, path } = await openedPage(browser, run);
    await shows(page, "#headline", "1.1: an executor works on it");
    run.child.kill("SIGINT");
    expect((await run.end).exitCode).toBe(130);
    await shows(page, "#headline", "the run can be continued");
    expect(existsSync(path)).toBe(false);
    await page.context().close();
  });

  it("sends messages to the run that serves it, which records them", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n", script: `${untilGo}; made` });
    const run = launch(project.workspace, runWords(project, "--yes", "--watch"));
    const { page } = await openedPage(browser, run);
    expect(await pressed(page, "pause")).toMatch(/^Pausing /);
    expect(await pressed(page, "resume")).toMatch(/^Resumed: /);
    expect(await pressed(page, "stop")).toMatch(/^(Stopped|Will stop)|^It was not heard/);
    expect((await run.end).exitCode).toBe(130);
    expect(said(project)).toMatchObject(["said", "said", "ended"].map((type) => ({ type })));
    await page.context().close();
  });
});
