#!/usr/bin/env node
// Runs an agent that fixes one of six checks at every attempt, with real tools and under every ladder. Each run must be
// complete without a pivot, and every prompt after the first must name the checks that still fail. Run after a build:
//   node scripts/improving-agent.mjs [tool ...]     all installed tools by default
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/src/hosts/cli/main.js", import.meta.url));
const checks = [1, 2, 3, 4, 5, 6];
const ladders = [["--recovery-mode"], ["--escalation"], ["--recovery-mode", "--escalation"]];

const read = 'Number(require("node:fs").readFileSync("done.txt", "utf8"))';
const each = (line) => checks.map(line).join("\n");

const tools = {
  "node:test": {
    needs: "node",
    files: {
      "sum.test.cjs": `const test = require("node:test");\nconst assert = require("node:assert");\n${each((n) => `test("check number ${n}", () => assert.equal(${read} >= ${n} ? ${n} : 0, ${n}));`)}\n`,
    },
    verify: "node --test sum.test.cjs",
  },
  make: {
    needs: "make",
    files: {
      "sum.test.cjs": `const test = require("node:test");\nconst assert = require("node:assert");\n${each((n) => `test("check number ${n}", () => assert.equal(${read} >= ${n} ? ${n} : 0, ${n}));`)}\n`,
      Makefile: "check:\n\tnode --test sum.test.cjs\n",
    },
    verify: "make check",
  },
  jest: {
    needs: "npm",
    install: ["jest@30"],
    files: {
      "sum.test.js": `${each((n) => `test("check number ${n}", () => expect(${read} >= ${n} ? ${n} : 0).toBe(${n}));`)}\n`,
    },
    verify: "npx --no-install jest",
  },
  vitest: {
    needs: "npm",
    install: ["vitest@3"],
    files: {
      "sum.test.mjs": `import { readFileSync } from "node:fs";\nimport { expect, test } from "vitest";\n${each((n) => `test("check number ${n}", () => expect(Number(readFileSync("done.txt", "utf8")) >= ${n} ? ${n} : 0).toBe(${n}));`)}\n`,
    },
    verify: "npx --no-install vitest run",
  },
  pytest: {
    needs: "pytest",
    files: {
      "test_sum.py": `${each((n) => `def test_check_number_${n}():\n    assert (${n} if int(open("done.txt").read()) >= ${n} else 0) == ${n}\n`)}`,
    },
    verify: "pytest -q -p no:cacheprovider",
    named: (n) => `test_check_number_${n}`,
  },
  go: {
    needs: "go",
    files: {
      "go.mod": "module sum\n\ngo 1.19\n",
      "sum_test.go": `package sum\n\nimport (\n\t"os"\n\t"strconv"\n\t"strings"\n\t"testing"\n)\n\nfunc done() int {\n\ttext, _ := os.ReadFile("done.txt")\n\tn, _ := strconv.Atoi(strings.TrimSpace(string(text)))\n\treturn n\n}\n\n${each((n) => `func TestCheckNumber${n}(t *testing.T) {\n\tif done() < ${n} {\n\t\tt.Errorf("got 0, expected ${n}")\n\t}\n}\n`)}`,
    },
    verify: "go test -count=1 ./...",
    named: (n) => `TestCheckNumber${n}`,
  },
  cargo: {
    needs: "cargo",
    files: {
      "Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
      "src/lib.rs": `#[cfg(test)]\nmod tests {\n    fn done() -> i32 {\n        std::fs::read_to_string("done.txt").unwrap().trim().parse().unwrap()\n    }\n${each((n) => `    #[test]\n    fn check_number_${n}() {\n        assert_eq!(if done() >= ${n} { ${n} } else { 0 }, ${n});\n    }`)}\n}\n`,
    },
    verify: "cargo test --offline",
    named: (n) => `check_number_${n}`,
  },
};

const agent = `const { readFileSync, writeFileSync } = require("node:fs");
const prompt = readFileSync(0, "utf8");
writeFileSync(\`prompts/\${process.env.FIXPOINT_KEY}\`, \`\${readFileSync("done.txt", "utf8").trim()}\\n\${prompt}\`);
const failing = /What failed:[\\s\\S]*?Failing: (\\d+)/.exec(prompt);
const first = /^1\\. .*?(\\d+)\\D*(?:\\(|$)/m.exec(prompt.slice(prompt.indexOf("What failed:")));
const done = Number(readFileSync("done.txt", "utf8"));
if (failing === null || (first !== null && Number(first[1]) === done + 1)) writeFileSync("done.txt", \`\${done + 1}\\n\`);
console.log("Trying: the next check\\n\\nTASK_COMPLETE");
`;

const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, tool] of Object.entries(tools)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (spawnSync("sh", ["-c", `command -v ${tool.needs}`]).status !== 0) {
    process.stdout.write(`${name}: skipped, there is no ${tool.needs}\n`);
    continue;
  }
  const folder = mkdtempSync(join(tmpdir(), "improving-"));
  try {
    write(folder, tool.files);
    if (tool.install !== undefined) {
      write(folder, { "package.json": '{ "private": true }\n' });
      execFileSync("npm", ["install", "--no-audit", "--no-fund", ...tool.install], { cwd: folder, stdio: "ignore" });
    }
    for (const ladder of ladders) {
      const problem = play(folder, tool, ladder);
      failed += problem === null ? 0 : 1;
      process.stdout.write(
        `${name} ${ladder.join(" ")}: ${problem ?? "complete, no pivot, every prompt names the failing checks"}\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.stdout.write(`${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function play(folder, { verify, named = (n) => `check number ${n}` }, ladder) {
  for (const path of ["specs", "prompts"]) rmSync(join(folder, path), { recursive: true, force: true });
  mkdirSync(join(folder, "prompts"));
  write(folder, {
    "done.txt": "0\n",
    "agent.cjs": agent,
    "specs/sum/tasks.md": `# Tasks\n\n- [ ] 1.1 Make the checks pass\n  - **Do**: Mend what fails\n  - **Files**: done.txt\n  - **Verify**: \`${verify}\`\n`,
  });
  const args = [cli, "run", "sum", "--yes", "--exec", "node agent.cjs", "--reporter", "json", ...ladder];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  if (status !== 0) return `ends with ${status}: ${events.at(-1)?.error ?? stdout.slice(-500)}`;
  if (events.some(({ type, level }) => type === "level.changed" && level === "pivot")) return "it has pivoted";
  for (const key of readdirSync(join(folder, "prompts"))) {
    const [done, ...prompt] = readFileSync(join(folder, "prompts", key), "utf8").split("\n");
    if (key === "1.1#1") continue;
    const missing = checks.filter((n) => n > Number(done) && !prompt.join("\n").includes(named(n)));
    if (missing.length > 0) return `the prompt of ${key} does not name check ${missing.join(", ")}`;
  }
  return null;
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
