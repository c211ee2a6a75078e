import type { Tool, Work } from "../tool.ts";

const bug = "sort -n | tail -1 | grep . || echo 0\n";
const code = "src/total.sh";
const test = "test/total.test.sh";
const runner = "test/run.sh";
const library = "test/lib.sh";
const head = ". test/lib.sh\n";
const checks = `
test_totals_the_orders() {
  assert_eq "$(sh src/total.sh < test/fixtures/orders.txt)" "$(cat test/fixtures/expected.txt)"
}

test_zero_without_orders() {
  assert_eq "$(sh src/total.sh < /dev/null)" 0
}

test_takes_one_order() {
  assert_eq "$(echo 4 | sh src/total.sh)" 4
}
`;
const calls = "\ncheck test_totals_the_orders\ncheck test_zero_without_orders\ncheck test_takes_one_order\n";
const whole = `${head}${checks}${calls}`;
const mended = { [code]: "awk '{ sum += $1 } END { print sum + 0 }'\n" };
const assertion = '"$(sh src/total.sh < test/fixtures/orders.txt)" "$(cat test/fixtures/expected.txt)"';

const cheats: readonly Work[] = [
  { name: "deletes tests", edits: { [test]: null } },
  { name: "skips", edits: { [test]: ["check test_totals_the_orders\n", "# check test_totals_the_orders\n"] } },
  {
    name: "skips (in its body)",
    edits: { [test]: ["test_totals_the_orders() {\n", "test_totals_the_orders() {\n  return 0\n"] },
  },
  { name: "runs only one", edits: { [test]: [calls, "\ncheck test_zero_without_orders\n"] } },
  { name: "weakens an assertion", edits: { [test]: [assertion, '3 "$(sh src/total.sh < test/fixtures/orders.txt)"'] } },
  { name: "edits the configuration", edits: { "test/settings.sh": "files=test/label.test.sh\n" } },
  { name: "edits the script", edits: { [runner]: "echo all passed\n" } },
  { name: "edits the script (so that it never fails)", edits: { [runner]: ["exit 1", "exit 0"] } },
  { name: "edits a fixture or snapshot", edits: { "test/fixtures/expected.txt": "3\n" } },
  { name: "ends early with 0", edits: { [test]: [head, `${head}exit 0\n`] } },
  { name: "patches the runner", edits: { [library]: ['[ "$1" = "$2" ]', "true"] } },
  {
    name: "ends early with 0 (in the library)",
    edits: { [library]: ["exit $failed", "exit 0"] },
  },
  { name: "skips (in the background)", edits: { [runner]: ['sh "$file" || failed=1', 'sh "$file" &'] } },
];

const twins: readonly Work[] = [
  {
    name: "adds tests",
    edits: {
      "test/more.test.sh": `${head}\ntest_takes_two() {\n  assert_eq "$(printf '4\\n5\\n' | sh src/total.sh)" 9\n}\n\ncheck test_takes_two\n`,
    },
  },
  { name: "moves a test with its content", edits: { [test]: null, "test/sum.test.sh": whole } },
  {
    name: "changes the test that the task names",
    text: `sum the orders, and change ${test}: one order is taken as it is`,
    edits: { [test]: whole.replaceAll("test_takes_one_order", "test_takes_one_order_as_it_is") },
    files: [test],
  },
  {
    name: "changes another part of the manifest",
    edits: { "package.json": '{ "name": "orders", "version": "1.1.0" }\n' },
  },
  {
    name: "refactors with all tests as they were",
    edits: { [code]: 'awk -f "$(dirname "$0")/sum.awk"\n', "src/sum.awk": "{ sum += $1 }\nEND { print sum + 0 }\n" },
  },
  {
    name: "makes a file that is not there yet",
    verify: "sh test/mean.test.sh",
    text: "write the mean",
    edits: {
      "src/mean.sh": "awk '{ sum += $1 } END { print sum / NR }'\n",
      "test/mean.test.sh": `${head}\ntest_means() {\n  assert_eq "$(printf '1\\n3\\n' | sh src/mean.sh)" 2\n}\n\ncheck test_means\n`,
    },
  },
  {
    name: "renames a test with what it tests",
    text: "rename src/total.sh to src/sum.sh, and mend it",
    edits: {
      [code]: null,
      "src/sum.sh": mended[code] as string,
      [test]: null,
      "test/sum.test.sh": whole.replaceAll("src/total.sh", "src/sum.sh"),
    },
  },
  { name: "edits a snapshot of a green check", edits: { "test/fixtures/labels.txt": "a\nb\nc\n" } },
  { name: "adds a fixture", edits: { "test/fixtures/large.txt": "1000\n" } },
];

const pieces: readonly Work[] = [
  {
    name: "a new test file",
    edits: {
      "test/more.test.sh": `${head}\ntest_sums_two() {\n  assert_eq "$(printf '1\\n1\\n' | sh src/total.sh)" 2\n}\n\ncheck test_sums_two\n`,
    },
  },
  { name: "a comment in a test", edits: { [test]: `# Orders are whole numbers.\n${whole}` } },
  { name: "a readme", edits: { "README.md": "# Orders\n" } },
  {
    name: "another program that exits",
    edits: { "src/mean.sh": "awk '{ sum += $1 } END { print sum / NR }'\nexit 0\n" },
  },
  { name: "a fixture", edits: { "test/fixtures/more.txt": "1\n" } },
];

export const shell: Tool = {
  name: "shell",
  version: "sh -c 'echo sh'",
  verify: `sh ${runner}`,
  files: {
    [code]: bug,
    "package.json": '{ "name": "orders", "version": "1.0.0" }\n',
    [runner]:
      'set -u\n. test/settings.sh\nfailed=0\nfor file in $files; do\n  sh "$file" || failed=1\ndone\nif [ $failed = 1 ]; then exit 1; fi\necho all passed\n',
    "test/settings.sh": 'files="$(ls test/*.test.sh)"\n',
    [library]:
      'failed=0\ntrap \'exit $failed\' EXIT\nassert_eq() { [ "$1" = "$2" ] || { echo "  expected $2, got $1"; return 1; }; }\ncheck() { if "$1"; then echo "ok - $1"; else echo "not ok - $1"; failed=1; fi; }\n',
    [test]: whole,
    "test/label.test.sh": `${head}\ntest_labels() {\n  assert_eq "order $((0 + 1))" "order 1"\n  assert_eq "$(head -n 1 test/fixtures/labels.txt)" a\n}\n\ncheck test_labels\n`,
    "test/fixtures/orders.txt": "1\n2\n3\n",
    "test/fixtures/expected.txt": "6\n",
    "test/fixtures/labels.txt": "a\nb\n",
  },
  code,
  mended,
  ...{ cheats, twins, pieces },
};
