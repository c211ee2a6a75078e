import { strictEqual as equal } from "node:assert";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import MarkdownIt from "markdown-it";

export function rowsOf(summary) {
  const shown = new MarkdownIt({ html: true, linkify: true }).render(summary);
  const text = (cell) =>
    cell
      .replace(/<\/?code>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  return [...shown.matchAll(/<tr>\n((?:<td>.*<\/td>\n)+)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<td>(.*)<\/td>/g)].map(([, cell]) => text(cell)),
  );
}

export function pageTexts(path) {
  const page = readFileSync(path, "utf8");
  const packed = [...page.matchAll(/<script id="(?:run|printed)"[^>]*>([^<]*)</g)];
  equal(packed.length, 2);
  return packed.map(([, data]) => gunzipSync(Buffer.from(data, "base64")).toString());
}
