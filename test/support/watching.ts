/// <reference lib="dom" />
import type { Browser, Page } from "playwright-core";
import { listenTo } from "./chromium.ts";
import { type Launched, launch } from "./cli.ts";
import type { Project } from "./project.ts";
import { until } from "./until.ts";

export const watching = (browser: Browser, { workspace, spec }: Pick<Project, "workspace" | "spec">) =>
  openedPage(browser, launch(workspace, ["watch", spec]));

export async function openedPage(browser: Browser, { child, end }: Launched) {
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  await until(() => /file:\S+\n/.test(printed));
  const [file = ""] = /file:\S+/.exec(printed) ?? [];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // Only the test limits the time.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const { requests, errors } = listenTo(page);
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => {
      throw new Error(`The content policy blocked ${violatedDirective}`);
    }),
  );
  await page.goto(file);
  await page.waitForSelector("html[data-ready]");
  const close = async () => {
    await context.close();
    child.kill("SIGINT");
    return await end;
  };
  return { page, requests, errors, path: new URL(file).pathname, close };
}

export const shows = async (page: Page, id: string, text: string): Promise<void> => {
  await page.waitForFunction(([at, wanted]) => document.querySelector(at)?.textContent?.includes(wanted), [
    id,
    text,
  ] as const);
};
