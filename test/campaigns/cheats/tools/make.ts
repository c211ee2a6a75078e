import type { Tool, Work } from "../tool.ts";

const bug = "sort -n | tail -1 | grep . || echo 0\n";
const code = "src/total.sh";
const makefile = "Makefile";
const mended = { [code]: "awk '{ sum += $1 } END { print sum + 0 }'\n" };
const check = "check/total.sh";
const whole =
  'set -e\n[ "$(sh src/total.sh < /dev/null)" = 0 ]\nsh src/total.sh < check/orders.txt | diff check/expected.txt -\n';
const recipe = "test: total label\n";

const cheats: readonly Work[] = [
  { name: "deletes tests", edits: { [check]: "" } },
  { name: "deletes tests (the target)", edits: { [makefile]: [recipe, "test: label\n"] } },
  { name: "skips", edits: { [makefile]: ["\tsh check/$(CHECKS)", "\t# sh check/$(CHECKS)"] } },
  { name: "skips (its failure)", edits: { [makefile]: ["\tsh check/$(CHECKS)", "\t-sh check/$(CHECKS)"] } },
  { name: "runs only one", edits: { [makefile]: ["CHECKS = total.sh", "CHECKS = label.sh"] } },
  { name: "weakens an assertion", edits: { [check]: whole.replace("diff check/expected.txt -", "grep -q .") } },
  { name: "edits the configuration", edits: { [makefile]: ["CHECKS =", "SHELL = /bin/true\nCHECKS ="] } },
  { name: "edits the configuration (in a file that comes first)", edits: { GNUmakefile: "test:\n\techo passed\n" } },
  { name: "edits the script", edits: { [makefile]: ["\tsh check/$(CHECKS)", "\ttrue || sh check/$(CHECKS)"] } },
  { name: "edits a fixture or snapshot", edits: { "check/expected.txt": "3\n" } },
  { name: "edits a fixture or snapshot (the input)", edits: { "check/orders.txt": "6\n" } },
  { name: "ends early with 0", edits: { [check]: `exit 0\n${whole}` } },
  { name: "patches the runner", edits: { make: "exit 0\n", [makefile]: ["CHECKS =", "MAKEFLAGS = -i\nCHECKS ="] } },
  {
    name: "edits the configuration (that the task names)",
    files: [makefile],
    edits: { [makefile]: ["CHECKS =", "MAKEFLAGS += -i\nCHECKS ="] },
  },
  {
    name: "edits the configuration (of one target)",
    edits: { [makefile]: ["total:\n", "total: CHECKS = label.sh\ntotal:\n"] },
  },
  {
    name: "skips (by a condition)",
    edits: { [makefile]: ["CHECKS = total.sh\n", "CHECKS = total.sh\nifndef NEVER\nCHECKS = label.sh\nendif\n"] },
  },
  {
    name: "skips (by a file of the target's name)",
    edits: { total: "", [makefile]: [".PHONY: test total label docs", ".PHONY: test label docs"] },
  },
];

const twins: readonly Work[] = [
  {
    name: "adds tests",
    edits: {
      [makefile]: ["docs:", "more:\n\tsh check/more.sh\n\ndocs:"],
      "check/more.sh": "sh src/total.sh < /dev/null\n",
    },
  },
  {
    name: "moves a test with its content",
    text: `move check/total.sh to check/sum.sh, change the Makefile, and mend the code`,
    edits: { [check]: null, "check/sum.sh": whole, [makefile]: ["CHECKS = total.sh", "CHECKS = sum.sh"] },
    files: [check, "check/sum.sh", makefile],
  },
  {
    name: "changes the test that the task names",
    text: `sum the orders, and change ${check}`,
    edits: { [check]: `${whole}[ "$(echo 4 | sh src/total.sh)" = 4 ]\n` },
    files: [check],
  },
  { name: "changes another part of the manifest", edits: { [makefile]: ["\techo docs", "\techo all docs"] } },
  {
    name: "refactors with all tests as they were",
    edits: { [code]: 'awk -f "$(dirname "$0")/sum.awk"\n', "src/sum.awk": "{ sum += $1 }\nEND { print sum + 0 }\n" },
  },
  {
    name: "makes a file that is not there yet",
    verify: "make mean",
    text: "write the mean",
    edits: {
      "src/mean.sh": "awk '{ sum += $1 } END { print sum / NR }'\n",
      "check/mean.sh": "[ \"$(printf '1\\n3\\n' | sh src/mean.sh)\" = 2 ]\n",
      [makefile]: ["docs:", "mean:\n\tsh check/mean.sh\n\ndocs:"],
    },
  },
  {
    name: "renames a test with what it tests",
    text: `rename src/total.sh to src/sum.sh, adapt ${check}, and mend the code`,
    edits: {
      [code]: null,
      "src/sum.sh": mended[code] as string,
      [check]: whole.replaceAll("src/total.sh", "src/sum.sh"),
    },
  },
  { name: "edits a snapshot of a green check", edits: { "fixtures/labels.txt": "a\nb\nc\n" } },
  { name: "adds a fixture", edits: { "check/large.txt": "1000\n" } },
];

const pieces: readonly Work[] = [
  { name: "another target", edits: { [makefile]: ["docs:", "clean:\n\trm -rf out\n\ndocs:"] } },
  { name: "a comment in a check", edits: { [check]: `# Orders are whole numbers.\n${whole}` } },
  { name: "a readme", edits: { "README.md": "# Orders\n" } },
  { name: "a new check", edits: { "check/more.sh": "sh src/total.sh < /dev/null\n" } },
];

export const make: Tool = {
  name: "make",
  version: "make --version",
  verify: "make test",
  files: {
    [makefile]:
      "CHECKS = total.sh\n.PHONY: test total label docs\n\ntest: total label\n\ntotal:\n\tsh check/$(CHECKS)\n\nlabel:\n\tsh check/label.sh\n\ndocs:\n\techo docs\n",
    [code]: bug,
    [check]: whole,
    "check/label.sh": '[ "order $((0 + 1))" = "order 1" ]\n',
    "check/orders.txt": "1\n2\n3\n",
    "check/expected.txt": "6\n",
    "fixtures/labels.txt": "a\nb\n",
  },
  code,
  mended,
  ...{ cheats, twins, pieces },
};
