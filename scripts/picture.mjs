// Draws docs/pictures/at-work.svg: a real run on a terminal, with a slow agent. Needs a build and tmux.
//
//   npm run -s build && node scripts/picture.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [columns, rows] = [92, 9];
const session = `fixpoint-picture-${process.pid}`;
const task = (id, title, file) =>
  `- [ ] ${id} ${title}\n  - **Do**: ${title}\n  - **Files**: \`${file}\`\n  - **Verify**: \`test -e ${file}\`\n`;
const call = (name, input) => ({ type: "assistant", message: { content: [{ type: "tool_use", name, input }] } });
const done = { type: "result", result: "TASK_COMPLETE" };

const agent = `#!/bin/sh
touch "$FIXPOINT_TASK_ID"
[ "$FIXPOINT_TASK_ID" = 1.1 ] || { echo '${JSON.stringify(call("Bash", { command: "npm test" }))}'; sleep 60; }
echo '${JSON.stringify(done)}'
`;

async function main() {
  const workspace = mkdtempSync(join(tmpdir(), "fixpoint-picture-"));
  const state = mkdtempSync(join(tmpdir(), "fixpoint-picture-"));
  try {
    mkdirSync(join(workspace, "specs", "wc"), { recursive: true });
    const plan = [
      task("1.1", "Read the options", "1.1"),
      task("1.2", "Write bin/wc.mjs", "1.2"),
      task("2.1", "Document it", "2.1"),
    ];
    writeFileSync(join(workspace, "specs", "wc", "tasks.md"), plan.join("\n"));
    writeFileSync(join(workspace, "agent.sh"), agent, { mode: 0o755 });
    const words = ["run", "wc", "--executor", "claude", "--exec", "./agent.sh", "--yes"];
    const command = [
      "env",
      `XDG_STATE_HOME=${state}`,
      process.execPath,
      join(root, "dist/src/hosts/cli/main.js"),
      ...words,
    ];
    tmux("new-session", "-d", "-s", session, "-x", columns, "-y", rows + 8, "-c", workspace, ...command);
    writeFileSync(join(root, "docs", "pictures", "at-work.svg"), draw(await paneWith("0:14")));
  } finally {
    tmux("kill-session", "-t", session);
    // Retry, because the killed processes may still write into these folders.
    for (const folder of [workspace, state])
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

const tmux = (...words) => execFileSync("tmux", words.map(String), { encoding: "utf8" });

async function paneWith(text) {
  for (let tries = 0; tries < 600; tries += 1) {
    const pane = tmux("capture-pane", "-p", "-e", "-t", session);
    if (pane.includes(text)) return pane.trimEnd().split("\n");
    await sleep(100);
  }
  throw new Error(`Cannot take the picture, expected \`${text}\` on the terminal`);
}

const colours = { 31: "#f47067", 32: "#8ddb8c", 33: "#daaa3f", 36: "#76e3ea", 90: "#8b949e" };
const esc = String.fromCharCode(27);
const sequence = new RegExp(`(${esc}\\[[\\d;]*m)`);
const [charWidth, lineHeight, margin] = [8.4, 20, 16];

function draw(lines) {
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const texts = lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    const y = margin + (at + 0.75) * lineHeight;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spansOf(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>A run of fixpoint on a terminal, with one task at work</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${texts.join("\n")}
</g>
</svg>
`;
}

/** A colour continues on the next line until it is reset. */
let colour;

function spansOf(line) {
  let column = 0;
  return line
    .split(sequence)
    .map((piece) => {
      const codes = piece.startsWith(esc) ? piece.slice(2, -1) : undefined;
      if (codes !== undefined) {
        for (const code of codes.split(";"))
          colour = colours[code] ?? (["", "0", "39"].includes(code) ? undefined : colour);
        return "";
      }
      if (piece === "") return "";
      const x = margin + column * charWidth;
      const length = [...piece].length;
      column += length;
      const fill = colour === undefined ? "" : ` fill="${colour}"`;
      return `<tspan x="${x.toFixed(1)}" textLength="${(length * charWidth).toFixed(1)}"${fill}>${toXml(piece)}</tspan>`;
    })
    .join("");
}

const toXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

await main();
