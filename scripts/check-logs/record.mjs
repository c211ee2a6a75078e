// Writes fixtures for `test/digest/read-check-log.test.ts`, which are job logs of GitHub Actions:
//   node scripts/check-logs/record.mjs
// Outputs of tools and their expectations come from `scripts/outputs/record.mjs`; other outputs are below.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runnerLog } from "./runner-log.mjs";

const root = resolve(import.meta.dirname, "../../test/fixtures");
const recorded = (name) => ({
  output: readFileSync(join(root, "outputs", `${name}.txt`), "utf8"),
  ...JSON.parse(readFileSync(join(root, "outputs", `${name}.json`), "utf8")),
});
const install = { run: "npm ci", output: "\nadded 214 packages in 4s\n\nfound 0 vulnerabilities", code: 0 };
const tolerated = {
  run: "npx tsc --noEmit -p legacy",
  output: "legacy/old.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
  matches: /error TS/,
  code: 2,
};

const typescript = /\berror TS\d+:/;
const of = (name, from, rest = {}) => {
  const { output, expected, tool, command, exitCode } = recorded(from);
  const ids = expected.map((id) => id.replaceAll("/project/", ""));
  return { name, tool, expected: ids, steps: [{ run: command, output, code: exitCode, ...rest.last }], ...rest };
};

const logs = [
  of("vitest", "vitest-default", { before: [install] }),
  of("vitest-coloured", "vitest-coloured", { before: [install] }),
  of("jest", "jest-coloured", { before: [install, tolerated] }),
  of("mocha", "mocha-npm", { before: [install] }),
  of("node-test", "node-test-24-spec-several"),
  of("playwright", "playwright-list", { before: [install] }),
  of("tsc", "tsc-plain", { before: [install], last: { matches: typescript } }),
  of("eslint", "eslint-stylish", { before: [install], last: { matches: /^\s+\d+:\d+\s+error\s/ } }),
  of("biome-check", "biome-check", { before: [install] }),
  of("pytest", "pytest-several"),
  of("unittest", "unittest-several"),
  of("go-test", "go-test-several", { last: { matches: /^\s*[\w./-]+\.go:\d+:/ } }),
  of("go-build", "go-build"),
  of("cargo-test", "cargo-test-several"),
  of("rustc", "rustc-types-coloured", { last: { matches: /^error(?:\[E\d+\])?:/ } }),
  of("gradle", "gradle-junit4"),
  of("maven", "maven-junit5"),
  of("make", "make-recursive"),
  of("clang", "cc-clang-coloured"),
  of("rspec", "rspec-progress"),
  of("phpunit", "phpunit-several"),
  of("shellcheck", "shellcheck-tty"),
  {
    name: "dotnet",
    tool: "dotnet test",
    expected: ["Shop.Tests.CartTests.Adds"],
    steps: [
      {
        run: "dotnet test --no-build",
        output: `Test run for /project/bin/Debug/net9.0/Shop.Tests.dll (.NETCoreApp,Version=v9.0)
VSTest version 17.14.0 (x64)

Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.42]     Shop.Tests.CartTests.Adds [FAIL]
  Failed Shop.Tests.CartTests.Adds [3 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 4
Actual:   3
  Stack Trace:
     at Shop.Tests.CartTests.Adds() in /project/CartTests.cs:line 12

Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 21 ms - Shop.Tests.dll (net9.0)`,
      },
    ],
  },
  {
    name: "npm-ci",
    tool: "npm",
    expected: ["EUSAGE"],
    steps: [
      {
        run: "npm ci",
        output: `npm error code EUSAGE
npm error
npm error \`npm ci\` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with \`npm install\` before continuing.
npm error
npm error Missing: ms@2.1.3 from lock file
npm error
npm error Clean install a project
npm error
npm error Usage:
npm error npm ci
npm error
npm error aliases: clean-install, ic, install-clean, isntall-clean
npm error
npm error Run "npm help ci" for more info
npm error A complete log of this run can be found in: /home/runner/.npm/_logs/2026-01-15T10_00_04_780Z-debug-0.log`,
      },
    ],
  },
  {
    name: "pip",
    tool: "output",
    expected: ["ERROR: No matching distribution found for six==99.9.9"],
    steps: [
      {
        run: "python -m pip install --upgrade pip\npip install -r requirements.txt",
        output: `Requirement already satisfied: pip in /opt/hostedtoolcache/Python/3.13.1/x64/lib/python3.13/site-packages (25.3)
ERROR: Could not find a version that satisfies the requirement six==99.9.9 (from versions: 1.16.0, 1.17.0)
ERROR: No matching distribution found for six==99.9.9`,
      },
    ],
  },
  {
    name: "docker",
    tool: "output",
    expected: [
      'ERROR: failed to build: failed to solve: process "/bin/sh -c apk add libfoo" did not complete successfully: exit code: 1',
    ],
    steps: [
      {
        run: "docker build --progress plain .",
        output: `#0 building with "default" instance using docker driver
#5 [2/3] RUN apk add libfoo
#5 0.712 fetch main/x86_64/APKINDEX.tar.gz
#5 1.204 ERROR: unable to select packages:
#5 1.206   libfoo (no such package):
#5 1.206     required by: world[libfoo]
#5 ERROR: process "/bin/sh -c apk add libfoo" did not complete successfully: exit code: 1
------
 > [2/3] RUN apk add libfoo:
1.206     required by: world[libfoo]
------
Dockerfile:2
--------------------
   1 |     FROM alpine:3
   2 | >>> RUN apk add libfoo
--------------------
ERROR: failed to build: failed to solve: process "/bin/sh -c apk add libfoo" did not complete successfully: exit code: 1`,
      },
    ],
  },
  {
    name: "docker-action",
    tool: "output",
    expected: [
      'buildx failed with: ERROR: failed to build: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2',
    ],
    steps: [
      {
        run: "docker/build-push-action@v6",
        uses: true,
        output: `##[group]Docker info
[command]/usr/bin/docker version
##[endgroup]
#9 [4/4] RUN make
#9 0.331 sh: cc: not found
#9 ERROR: process "/bin/sh -c make" did not complete successfully: exit code: 2
##[error]buildx failed with: ERROR: failed to build: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2`,
      },
    ],
  },
  {
    name: "shell",
    tool: "output",
    expected: ["deploy.sh: line 7: STAGE: unbound variable"],
    steps: [
      {
        run: "set -x\n./deploy.sh",
        output: "+ ./deploy.sh\nchecking files\ndeploy.sh: line 7: STAGE: unbound variable",
      },
    ],
  },
  {
    name: "missing-command",
    tool: "output",
    expected: ["/home/runner/work/_temp/5b1d.sh: line 1: pnpm: command not found"],
    steps: [
      {
        run: "pnpm test",
        code: 127,
        output: "/home/runner/work/_temp/5b1d.sh: line 1: pnpm: command not found",
      },
    ],
  },
  {
    name: "timeout",
    tool: "output",
    expected: ["The operation was canceled."],
    steps: [
      { run: "npm run soak", uses: true, output: "> soak\nround 1\nround 2\n##[error]The operation was canceled." },
    ],
  },
];

for (const { name, tool, expected, before = [], steps } of logs) {
  const log = runnerLog({ steps: [...before, ...steps] });
  const last = steps.at(-1).run.split("\n")[0];
  writeFileSync(join(root, "check-logs", `${name}.txt`), log);
  writeFileSync(
    join(root, "check-logs", `${name}.json`),
    `${JSON.stringify({ tool, failedStep: `Run ${last}`, expected }, null, 2)}\n`,
  );
}
