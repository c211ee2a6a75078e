import assert from "node:assert/strict";
import { HtmlRenderer, Parser } from "commonmark";
import MarkdownIt from "markdown-it";
import { insertFixTask } from "../../../src/markdown/insert-fix-task.ts";
import { appendEntry } from "../../../src/markdown/progress/append-entry.ts";
import { appendSummary } from "../../../src/markdown/summary/append-summary.ts";
import { renderStuckReport } from "../../../src/wording/report/render-stuck-report.ts";
import { entriesOf, sampleLog } from "./progress-log.ts";
import { pureSink } from "./sink.ts";
import { reportOf } from "./stuck-report.ts";
import { summaryEntriesOf } from "./summary.ts";

const parser = new Parser();
const renderer = new HtmlRenderer();
const markdownIt = new MarkdownIt("commonmark");
const renderers = [(text: string) => renderer.render(parser.parse(text)), (text: string) => markdownIt.render(text)];

const tag = /<\/?(?:h[1-6]|p|ul|ol|li|strong|em|code|pre|br \/|code class="language-text")>/g;

export const htmlSink = pureSink("documents as HTML", (text) => {
  const told = { summary: text, error: text, attemptedFix: text, doneWhen: text };
  const texts = { ...told, files: text, verify: "true", commit: text };
  const documents = [
    renderStuckReport(reportOf(text)),
    entriesOf(text).reduce(appendEntry, sampleLog),
    summaryEntriesOf(text).reduce(appendSummary, ""),
    insertFixTask("# Tasks\n\n- [ ] 1.1 One\n", { ...texts, id: "1.1.1", fixOf: "1.1" }),
  ];
  for (const document of documents) {
    for (const render of renderers) {
      const left = render(document).replace(tag, "");
      assert.ok(!left.includes("<"), `an element was created: ${left.slice(left.indexOf("<")).slice(0, 80)}`);
    }
  }
});
