import { tableScript, tableScriptHash } from "./generated/parts.ts";
import { pageDocument, policyFor } from "./page-document.ts";

/**
 * The page on which many runs are watched: a table of them, each row with a link to the page of its run at
 * `runs/<place>/`. It gets its token as the page of a run does, and asks `GET rows?seen=<n>`, with the `seen` of the answer
 * before (0 at first), which answers `MoreRows` of `src/model/run-row.ts` as JSON.
 */
export const renderTable = (): string =>
  pageDocument({ mode: "live", name: "table", body, script: tableScript, scriptHash: tableScriptHash });

/** What it may load and ask; to be sent as a header, too, beside `frame-ancestors 'none'`. */
export const tablePolicy: string = policyFor("live", tableScriptHash);

const columns = ["State", "Spec", "Tasks", "Cost", "Since", "Whose move"];

const body = [
  '<header><h1><span id="folder">fixpoint</span> <span id="link"></span></h1>',
  '<p id="headline" role="status">Loading</p></header>',
  "<main><table><thead><tr>",
  ...columns.map((name) => `<th scope="col">${name}</th>`),
  '</tr></thead><tbody id="runs"></tbody></table></main>',
].join("");
