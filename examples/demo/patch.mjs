import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export function readPatch(text) {
  const [summary, ...files] = text.split(/\n+--- .*\n\+\+\+ b\//);
  return {
    summary,
    files: files.map((file) => {
      const [path, ...hunks] = file.trimEnd().split(/\n@@ .*\n/);
      return { path, edits: hunks.map((hunk) => ({ find: side(hunk, "-"), replace: side(hunk, "+") })) };
    }),
  };
}

export function applyPatch({ files }) {
  const changed = [];
  for (const { path, edits } of files) {
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    const after = edits.filter((edit) => isOpen(edit, before)).reduce(makeEdit, before);
    if (after === before) continue;
    writeWhole(path, after);
    changed.push(path);
  }
  return changed;
}

function side(hunk, mark) {
  const lines = hunk.split("\n").filter((line) => line === "" || line.startsWith(" ") || line.startsWith(mark));
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

function isOpen({ find, replace }, text) {
  return find === "" ? text === "" : text.includes(find) && !text.includes(replace);
}

function makeEdit(text, { find, replace }) {
  return text.replace(find, () => replace);
}

/** Renames a complete file, because a kill during a write would leave half a file. */
function writeWhole(path, text) {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}
