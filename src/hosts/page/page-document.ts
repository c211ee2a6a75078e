import { style, styleHash } from "./generated/parts.ts";

/** Parts that differ between pages. */
export interface PageParts {
  /** `live`: the page calls its server. `export`: the page makes no requests. */
  readonly mode: PageMode;
  /** CSS class of the body. */
  readonly name: string;
  readonly body: string;
  /** Elements after `body`, such as templates. */
  readonly behind?: readonly string[];
  readonly script: string;
  readonly scriptHash: string;
}

export type PageMode = "live" | "export";

/** Build a page as one HTML document. */
export function pageDocument({ mode, name, body, behind = [], script, scriptHash }: PageParts): string {
  return [
    "<!doctype html>",
    `<html lang="en" data-mode="${mode}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyFor(mode, scriptHash)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link id="icon" rel="icon" href="data:,">',
    "<title>fixpoint</title>",
    `<style>${style}</style>`,
    "</head>",
    `<body class="${name}">${body}`,
    ...behind,
    `<script>${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** Content security policy: allows only the script and style of the page, and its server if it is live. */
export const policyFor = (mode: PageMode, scriptHash: string): string =>
  [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    `connect-src ${mode === "live" ? "'self'" : "'none'"}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
