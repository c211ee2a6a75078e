import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findCommand } from "../../src/adapters/processes/shell-command.ts";
import { cli } from "../support/cli.ts";
import { lastingFolder, type Project, projectAt } from "../support/project.ts";
import { until } from "../support/until.ts";

const server = `fixpoint-${process.pid}`;
const tmux = (...words: readonly string[]): string =>
  execFileSync("tmux", ["-f", "/dev/null", "-L", server, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

afterAll(() => {
  try {
    tmux("kill-server");
  } catch {
    // The server of tmux has already ended with its last window.
  }
});

const hidden = {
  scrolls: `touch PWNED; exec npm test${"\n".repeat(81)}  Verify: npm run lint`,
  comments: `touch PWNED\n${Array.from({ length: 60 }, (_, n) => `# ${n}\n  Verify: npm run lint`).join("\n")}`,
  blanks: `true${" ".repeat(400)}; touch PWNED`,
  // In a terminal of 80 or 40 columns, the wrapped part looks like another item.
  columns: `true ${"x".repeat(63)}  Verify: npm test ${"y".repeat(14)}  Verify: npm test; touch PWNED`,
  long: `true ${"0123456789".repeat(900)}; touch PWNED`,
  count: "touch PWNED\nEnd of the list: 2 items.\n[y/N] y",
  script: "nрm test; touch PWNED",
};

function hostile(verify: readonly string[]): Project {
  const workspace = join(lastingFolder(), "w");
  const project = projectAt(workspace, join(workspace, "specs", "g"));
  mkdirSync(project.spec, { recursive: true });
  const tasks = verify.map((command, n) => {
    const lines = command.split("\n").map((line) => (line === "" ? "" : `    ${line}`));
    return `- [ ] 1.${n + 1} A\n  - **Verify**:\n\n    \`\`\`sh\n${lines.join("\n")}\n    \`\`\`\n`;
  });
  writeFileSync(project.tasks, tasks.join(""));
  return project;
}

async function show(
  { workspace }: Project,
  [columns, rows]: readonly [number, number],
  rest: string,
): Promise<string[]> {
  const name = `t${columns}x${rows}-${workspace.replaceAll(/[^\w]/g, "")}`;
  const state = join(workspace, "..", "state");
  const script = join(workspace, "..", `${name}.sh`);
  const call = `XDG_STATE_HOME='${state}' '${process.execPath}' '${cli}' run g --exec 'echo TASK_COMPLETE' ${rest}`;
  writeFileSync(script, `cd '${workspace}'\n${call}\necho "ended $?"\nexec sleep 600\n`);
  tmux("new-session", "-d", "-s", name, "-x", `${columns}`, "-y", `${rows}`, `sh '${script}'`);
  tmux("set-option", "-t", name, "history-limit", "100000");
  const read = (): string[] => tmux("capture-pane", "-p", "-t", name, "-S", "-").trimEnd().split("\n");
  await until(() => /\[y\/N\]|ended \d/.test(read().at(-1) ?? ""));
  const all = read();
  tmux("kill-session", "-t", name);
  return all;
}

const missing = findCommand("tmux", "/") === null;

describe.skipIf(missing)("the consent list of a hostile plan", () => {
  it.each([
    ["asked", 80, 24, ""],
    ["asked", 40, 10, ""],
    ["refused", 80, 24, "< /dev/null"],
    ["refused", 40, 10, "< /dev/null"],
  ] as const)(
    "hides and forges nothing if consent is %s, on %i columns and %i rows",
    async (_, columns, rows, rest) => {
      const commands = Object.values(hidden);
      const project = hostile(commands);
      const screen = await show(project, [columns, rows], rest);
      const from = screen.indexOf(`${commands.length} items:`);
      const to = screen.lastIndexOf(`End of the list: ${commands.length} items.`);
      expect([from >= 0, to > from]).toEqual([true, true]);
      expect(screen.slice(-rows).join("\n")).toContain(`End of the list: ${commands.length} items.`);
      if (rest === "") expect(screen.slice(-rows).join("").replaceAll(/\s+/g, " ")).toMatch(/scroll up to ?read/);
      const items: string[] = [];
      for (const row of screen.slice(from + 1, to)) {
        if (row.startsWith("  ")) items.push(row.slice(2));
        else {
          expect(row.startsWith("│")).toBe(true);
          items.push(`${items.pop()}${row.slice(2)}`);
        }
      }
      const shown = items.map((item) =>
        item
          .replace(/⏎×(\d+)/g, (_whole, count: string) => "\n".repeat(Number(count)))
          .replace(/·(\d+)/g, (_whole, count: string) => " ".repeat(Number(count)))
          .replaceAll("⏎", "\n")
          .replaceAll("\\u0440", "р"),
      );
      expect(shown.sort()).toEqual(commands.map((command) => `Verify: ${command}`).sort());
      expect(existsSync(join(project.workspace, "PWNED"))).toBe(false);
    },
  );
});
