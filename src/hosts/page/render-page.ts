import { charts, listScript, listScriptHash, script, scriptHash, style, styleHash } from "./generated/parts.ts";

interface PageParts {
  /** `live`: the page calls its server. `export`: the page makes no requests. */
  readonly mode: PageMode;
  readonly name: string;
  readonly body: string;
  readonly behind?: readonly string[];
  readonly script: string;
  readonly scriptHash: string;
}

type PageMode = "live" | "export";

function pageDocument({ mode, name, body, behind = [], script, scriptHash }: PageParts): string {
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

/** Content security policy: allows only the script and style of the page and, for a live page, its server. */
const policyFor = (mode: PageMode, scriptHash: string): string =>
  [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    `connect-src ${mode === "live" ? "'self'" : "'none'"}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/**
 * Render the page of a run: one HTML document that requests nothing but its own data.
 *
 * `export`: the document contains the data, as JSON, compressed with gzip, in base64. The script element with the id
 * `run` has a `WholeRun` of `page-data.ts`, and the script element with the id `printed` has a `PrintedByTask`. Both
 * have the type `application/octet-stream`. The page fetches nothing: `connect-src 'none'`.
 *
 * `live`: the document contains no data and no secret, so it may be served to anyone. The token is in the fragment of
 * its URL (`#token=<token>`). The page reads and removes the fragment at once, stores the token until the tab is
 * closed, and sends `Authorization: Bearer <token>` with every request:
 *
 * - `GET stream` answers server-sent events, each with `event:` and one line of `data:` in JSON. The page reads them
 * with `fetch`, and opens the stream again when it breaks. The events are `run` (`PageRun`; all data of the run
 * follows), `start` (`{ at, policy }`), `records` (a list of records), `plan` (`PlanChanged`), `work` (`AtWork`; all
 * earlier events are sent), `tail` (`MoreOutput`) and `end` (`{}`; the last event).
 * - `GET printed?task=<id>` answers the outputs of all attempts at a task, a list of `Printed`, as JSON.
 * - `GET diff?key=<attempt>` answers the changes of an attempt, a `Clip`, as JSON.
 * - `POST say` with a `PageWord` as JSON answers `{ answer }`, a sentence to show.
 *
 * The content security policy has `connect-src 'self'`. Send the policy also as a header: `runPolicy("live")` and
 * `frame-ancestors 'none'`.
 */
export const renderPage = (data: PageData | null): string =>
  pageDocument({
    ...{ mode: data === null ? "live" : "export", name: "run", body, script, scriptHash },
    behind: [
      ...Object.entries(charts).map(([machine, svg]) => `<template id="chart-${machine}">${svg}</template>`),
      ...(data === null ? [] : [dataBlock("run", data.run), dataBlock("printed", data.printed)]),
    ],
  });

/** Data of the page, compressed with gzip, in base64, so that it needs no escaping in HTML. */
export interface PageData {
  readonly run: string;
  readonly printed: string;
}

export const runPolicy = (mode: PageMode): string => policyFor(mode, scriptHash);

/**
 * Render the page with the specs of a folder, each with a link to the page of its run at `runs/<place>/`. The URL of
 * the page contains the token, as for the page of a run. The page requests `GET specs` repeatedly; the answer is JSON,
 * `{ folder, specs }`, where `specs` is a list of `ListedSpec`.
 */
export const renderList = (): string =>
  pageDocument({ mode: "live", name: "list", body: listBody, script: listScript, scriptHash: listScriptHash });

/**
 * Content security policy of the list page. Send the policy also as a header, together with `frame-ancestors 'none'`.
 */
export const listPolicy: string = policyFor("live", listScriptHash);

const listBody =
  '<header><h1>fixpoint</h1><p id="headline" role="status">Loading</p></header><main><ul id="specs"></ul></main>';

const dataBlock = (id: string, text: string): string =>
  `<script id="${id}" type="application/octet-stream">${text}</script>`;

const button = (id: string, text: string, label: string): string =>
  `<button type="button" id="${id}" aria-label="${label}">${text}</button>`;

const body = [
  '<header><h1><span id="spec">fixpoint</span> <span id="link"></span> <a id="all" href="../../" hidden>All specs</a></h1>',
  '<p id="headline" role="status">Loading</p>',
  '<p id="spent"></p><div id="progress" class="track" role="img" aria-label="Tasks done"></div>',
  '<div id="limits" class="gauges"></div></header>',
  '<main><section id="task" aria-label="The chosen task" tabindex="0">',
  '<section id="asked" aria-label="Question to you" hidden><p id="question"></p><div id="answers" class="buttons"></div>',
  '<p id="why"></p><ul id="ways"></ul></section>',
  '<section id="person" aria-label="Send a message to the run" hidden>',
  '<div class="line"><div id="buttons" class="buttons"></div><div class="line say">',
  '<label id="guidance-name" for="guidance">Guidance</label><textarea id="guidance" rows="1" maxlength="4000"></textarea>',
  button("guide", "Send", "Send guidance: what should the next attempt know?"),
  '</div></div><p id="answer" role="status"></p></section>',
  '<div id="story"></div>',
  '<details id="machines"><summary>Machines: their states, and the possible next states</summary>',
  '<div id="lanes" class="buttons" role="group" aria-label="Choose the machine to show"></div>',
  '<div id="chart" tabindex="0" role="group" aria-label="Chart"></div></details></section>',
  '<section class="tasks" aria-label="Tasks"><div class="bar-line"><span id="tree-name">Tasks</span>',
  '<button type="button" id="follow" aria-pressed="true">Follow the run</button></div>',
  '<div id="tree" role="tree" tabindex="0" aria-labelledby="tree-name"><div id="rows" role="presentation"></div></div>',
  '<p id="left" class="quiet"></p></section></main>',
  '<footer aria-label="Timeline"><canvas id="marks" aria-hidden="true"></canvas>',
  '<input id="scrubber" type="range" min="0" max="0" value="0" step="1" aria-label="Moment of the run">',
  '<div id="steps" class="buttons">',
  button("back", "\u25c0", "One step back"),
  button("on", "\u25b6", "One step forward"),
  button("latest", "\u25b6|", "Latest step"),
  '<button type="button" id="failure">Next failure</button>',
  '<span id="moment"></span></div></footer>',
].join("");
