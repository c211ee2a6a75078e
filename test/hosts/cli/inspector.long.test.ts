import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { serveInspector } from "../../../src/hosts/cli/inspector/serve-inspector.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { newRun } from "../../../src/run/new-run.ts";
import { openSession } from "../../../src/runtime/session.ts";
import { chromiumPath, listenTo, openBrowser, whereThereIsOne } from "../../support/chromium.ts";

async function viewerText(): Promise<string> {
  const input = fileURLToPath(new URL("../../support/stately-viewer.mjs", import.meta.url));
  const build = await rolldown({ input, platform: "browser" });
  const { output } = await build.generate({ format: "iife" });
  await build.close();
  return `<!doctype html><title>viewer</title><body><script>${output[0].code}</script>`;
}

it.skipIf(chromiumPath === null)(
  `the page of --inspect shows a run in Stately's viewer${whereThereIsOne}`,
  async () => {
    const server = await serveInspector();
    const session = openSession({ policy: readPolicy(), state: newRun(), inspect: server.inspect });
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const { errors } = listenTo(page);
      const body = await viewerText();
      await page.route("https://stately.ai/inspect", (route) => route.fulfill({ contentType: "text/html", body }));
      await page.goto(server.page);
      const shown = page.frameLocator("iframe").locator("body");
      await shown.filter({ hasText: "@xstate.actor @xstate.event @xstate.snapshot" }).waitFor();
      const [choice] = session.performable();
      session.take(choice as NonNullable<typeof choice>, { kind: "none" });
      await shown.filter({ hasText: /(@xstate.snapshot.*){2}/ }).waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
