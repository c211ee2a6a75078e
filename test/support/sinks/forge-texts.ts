import assert from "node:assert/strict";
import MarkdownIt from "markdown-it";
import { answerMarker } from "../../../src/model/pull-request.ts";
import { answerText, renderPullRequest } from "../../../src/wording/render-pull-request.ts";
import { assertReadable } from "./assert-readable.ts";
import { pureSink } from "./sink.ts";

const parser = new MarkdownIt({ html: true, linkify: true });

function constructsIn(markdown: string): string[] {
  const tokens = parser.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const plain = /^(?:inline|text|softbreak|paragraph_|blockquote_|heading_|bullet_list_|list_item_)/;
  return tokens.map(({ type }) => type).filter((type) => !plain.test(type));
}

/** A forge acts on these: mentions, commands for bots, issues to close, and comments. */
const lively: readonly RegExp[] = [
  /(?:^|[^\w`])@[\w-]/m,
  /^[ \t>]*\/[a-z]/im,
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+\S*\\?#\d/i,
  /(?<!\\)<!--/,
];

function assertInert(markdown: string, own: { readonly items: number; readonly headings: number }): void {
  // U+200B is allowed, because it breaks mentions.
  assertReadable(markdown.replaceAll("\u200b", ""));
  assert.deepEqual(constructsIn(markdown), []);
  const tokens = parser.parse(markdown, {});
  const count = (type: string): number => tokens.filter((token) => token.type === type).length;
  assert.deepEqual([count("list_item_open"), count("heading_open")], [own.items, own.headings]);
  for (const found of lively) assert.doesNotMatch(markdown, found);
}

export const answerSink = pureSink("answer in a review thread", (text) => {
  const marker = answerMarker("5.5", text);
  const answer = answerText("5.5", { commit: null, reply: text }, marker);
  assert.match(marker, /^<!-- fixpoint:5\.5:[\w=-]* -->$/);
  assert.equal(answer.split(marker).length, 2);
  assertInert(answer.replace(marker, ""), { items: 0, headings: 0 });
});

export const descriptionSink = pureSink("description of a pull request", (text) => {
  const tasks = [{ id: "1.1", title: text, done: true }];
  const { title, body } = renderPullRequest({ title: null, spec: text, commits: [text, text], tasks });
  assertReadable(title);
  assert.doesNotMatch(title, /\n/);
  assertInert(body, { items: 3, headings: 2 });
});
