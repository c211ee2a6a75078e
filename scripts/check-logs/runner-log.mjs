// The format of a GitHub Actions job log around the output of a step. The parts of the log, in order:
//   setup     the runner, permissions, checkout
//   steps     `{ run, output, matches?, isTolerated?, code? }`; the last one fails
//   end       steps after the failed one, which do not mention it

const start = Date.parse("2026-01-15T10:00:00Z");

export function runnerLog({ steps, folder = "/home/runner/work/shop/shop" }) {
  let count = 0;
  const stamp = () => {
    const at = new Date(start + count * 37).toISOString().slice(0, -1);
    count += 1;
    return `${at}${String((count * 7919) % 10_000).padStart(4, "0")}Z`;
  };
  const lines = [...setup, ...steps.flatMap((step, index) => stepLines(step, folder, index)), ...ending];
  return `\uFEFF${lines.map((line) => `${stamp()} ${line}`).join("\n")}\n`;
}

const setup = [
  "Current runner version: '2.331.0'",
  "##[group]Runner Image",
  "Image: ubuntu-24.04",
  "Version: 20260112.1.0",
  "##[endgroup]",
  "##[group]GITHUB_TOKEN Permissions",
  "Contents: read",
  "Metadata: read",
  "##[endgroup]",
  "Secret source: Actions",
  "Prepare workflow directory",
  "Download action repository 'actions/checkout@v4' (SHA:34e114876b0b11c390a56381ad16ebd13914f8d5)",
  "Complete job name: test",
  "##[group]Run actions/checkout@v4",
  "with:",
  "  repository: ann/shop",
  "  token: ***",
  "  fetch-depth: 1",
  "##[endgroup]",
  "Syncing repository: ann/shop",
  "##[group]Getting Git version info",
  "Working directory is '/home/runner/work/shop/shop'",
  "[command]/usr/bin/git version",
  "git version 2.52.0",
  "##[endgroup]",
  "[command]/usr/bin/git log -1 --format=%H",
  "5f2d3c9a7be04a1f8d6c1e2b3a4958675f2d3c9a",
];

const ending = [
  "Post job cleanup.",
  "[command]/usr/bin/git version",
  "git version 2.52.0",
  "Temporarily overriding HOME='/home/runner/work/_temp/0f9d' before making global git config changes",
  "[command]/usr/bin/git config --local --unset-all http.https://github.com/.extraheader",
  "Cleaning up orphan processes",
];

function stepLines({ run, output = "", matches, code = 1, uses = false }, folder) {
  const own = output.replaceAll("/project", folder).replace(/\n$/, "").split("\n");
  return [
    `##[group]Run ${run.split("\n")[0]}`,
    ...(uses ? ["with:", "  push: false"] : run.split("\n").map((line) => `\u001B[36;1m${line}\u001B[0m`)),
    "shell: /usr/bin/bash -e {0}",
    "env:",
    "  CI: true",
    "##[endgroup]",
    ...own.map((line) => (matches?.test(line) ? `##[error]${line}` : line)),
    ...(code === 0 || uses ? [] : [`##[error]Process completed with exit code ${code}.`]),
  ];
}
