import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

export const chromiumPath: string | null =
  [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path !== "" && existsSync(path),
  ) ?? null;

export const whereThereIsOne = chromiumPath === null ? " (skipped: there is no Chromium on this machine)" : "";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox", "--disable-gpu"] });

export function listenTo(page: Page): { readonly requests: string[]; readonly errors: string[] } {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return { requests, errors };
}
