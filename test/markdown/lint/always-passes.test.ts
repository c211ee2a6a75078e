import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alwaysPasses, hidesExit } from "../../../src/markdown/lint/always-passes.ts";
import { prop } from "../../support/prop.ts";

const pass = (operator: string | null, command: string) => ({ operator, command });

describe("alwaysPasses", () => {
  it.each([
    ["true", pass(null, "true")],
    [":", pass(null, ":")],
    ["exit 0", pass(null, "exit 0")],
    ["echo 'Verify manually'", pass(null, "echo 'Verify manually'")],
    ['echo "$(date) \\" `pwd`" $HOME $? $(ls (a) "$(b)" \')\')', pass(null, expect.stringContaining("echo"))],
    ["printf done", pass(null, "printf done")],
    ["printf all-done", pass(null, "printf all-done")],
    [`npm test || echo $\{HOME}`, pass("||", `echo $\{HOME}`)],
    ["echo \\a\\;", pass(null, "echo \\a\\;")],
    ["# look at it\n\n# twice", pass(null, "")],
    ["npm test || true", pass("||", "true")],
    ["npm test || echo FAIL", pass("||", "echo FAIL")],
    ["grep -q x a.md && echo PASS || echo FAIL", pass("||", "echo FAIL")],
    ["test -f a || exit 0", pass("||", "exit 0")],
    ["true && echo ok", pass("&&", "echo ok")],
    ["npm test; echo done", pass(";", "echo done")],
    ["npm test\r\necho done # that is all\n", pass(";", "echo done")],
    ["npm test 2>&1 | tail -20", pass("|", "tail -20")],
    ["npm test &>/dev/null | head -n 5", pass("|", "head -n 5")],
    ["CI=1 npm test |\n  wc -l", pass("|", "wc -l")],
    ["(cd a && exit 1) || true", pass("||", "true")],
    ["a=$(make) || echo bad", pass("||", "echo bad")],
    ["[ $(grep -c x 'a b') -ge 1 ] && echo y \\\n || echo n", pass("||", "echo n")],
    ["ls | sort -rn", pass("|", "sort -rn")],
    ["ls | head -n5", pass("|", "head -n5")],
    ["sort < in | cat", pass("|", "cat")],
    ["npm test | tee out.log", pass("|", "tee out.log")],
    ["npm test | tr a-z A-Z", pass("|", "tr a-z A-Z")],
    ["npm test | cut -d: -f1", pass("|", "cut -d: -f1")],
    ["npm test; true", pass(";", "true")],
    [
      `grep -c x f | awk '{if($1==0) print "PASS"; else print "FAIL"}'`,
      pass("|", `awk '{if($1==0) print "PASS"; else print "FAIL"}'`),
    ],
    ["wc -l f | awk -F: -v n=3 '{print $1 > n}'", pass("|", "awk -F: -v n=3 '{print $1 > n}'")],
    ["wc -l f | gawk -v n=3 '{print}'", pass("|", "gawk -v n=3 '{print}'")],
  ])("finds that %j cannot fail", (script, expected) => {
    expect(alwaysPasses(script)).toEqual(expected);
  });

  it.each([
    "npm test",
    "npm test && echo done",
    "npm test | grep -q ok",
    "wc -l f | awk '{exit $1 > 3}'",
    "wc -l f | awk '{print}' missing",
    "wc -l f | awk -f a.awk '{print}'",
    "wc -l f | awk '",
    "wc -l f | awk",
    "awk '{print}'",
    "npm test | tail -5 log.txt",
    "npm test 2>&1 | tail -1 | grep -q '0 failed'",
    "ls | sort -c",
    "ls | sort -uc",
    "ls | sort --check",
    "ls | cat 5",
    "ls | uniq 5",
    "! true",
    "! npm test | tail -1",
    "exit 1",
    "exit",
    "exit 0 1",
    "kill 0; true",
    "cd a; set -e; true",
    "$RUN | tail -5",
    "test -f a || exit 1; echo done",
    "make || exit 1 && echo done",
    "grep -q a b && exit 1 || echo ok",
    "set -e\nnpm test\necho done",
    "set -o pipefail; npm test | tail -5",
    "trap 'exit 1' EXIT; true",
    "$RUN; true",
    "echo x > missing/file",
    "echo x >> /dev/nullish",
    "cat < missing | tail -1 > out",
    "make || cat < missing",
    `echo $\{name:?} || true`,
    "echo $((1 / 0))",
    `npm test >$\{OUT:?}; true`,
    "npm test >$((1/N)); true",
    "exit 0 >log; true",
    "printf '%d' x",
    "printf -v a b",
    "printf",
    "a=1",
    "tail -5",
    "npm test || echo 'unclosed",
    'npm test || echo "unclosed',
    "npm test || echo `unclosed",
    "npm test || echo $(unclosed",
    "npm test || echo $(a # )\n)",
    "npm test || echo $(cat <<E\nE\n)",
    "npm test || echo $'\\''",
    "npm test || echo \\",
    "npm test || echo )",
    "npm test || <<E cat\nE",
    "npm test |& tail -5",
    "npm test & echo started",
    "if npm test; then echo ok; fi",
    "for f in a b; do echo $f; done",
    "{ echo a; }",
    "f() { exit 1; }; f; true",
    "a || || true",
    "a | | true",
    "|| true",
    "; true",
    "a;\n; true",
  ])("reports nothing for %j", (script) => {
    expect(alwaysPasses(script)).toBeNull();
  });

  const pieces = "echo true exit 0 test npm \n ; | || && & ( ) $( ` ' \" \\ # < > 2>&1 $ { } ! a=1".split(" ");
  const scripts = fc.array(fc.oneof(fc.constantFrom(" ", ...pieces), fc.string({ maxLength: 3 })), { maxLength: 12 });
  prop("reads any text", [scripts], (parts) => {
    alwaysPasses(parts.join(""));
  });
});

describe("hidesExit", () => {
  it.each([
    ["cd . && npm test 2>&1 | tail -5", "tail -5"],
    ["npm run lint && npm test 2>&1 | tail -5", "tail -5"],
    ["npm run lint || npm test | cat", "cat"],
    ["npm run lint\nnpm test | tee out.log", "tee out.log"],
    ["npm test | grep -v warn", "grep -v warn"],
    ["npm test | grep -iv warn", "grep -iv warn"],
    ["a=1 | grep -v b", "grep -v b"],
  ])("finds a hidden exit code in %j", (script, command) => {
    expect(hidesExit(script)).toEqual(pass("|", command));
  });

  it.each([
    "npm test",
    "npm run lint && npm test",
    "npm test | tail -5 && npm run lint",
    "set -o pipefail; npm test | tail -5",
    "! npm test | tail -5",
    "npm test | grep -q ok",
    "npm test | grep -v a b",
    "npm test | grep -v a < b",
    "npm test | grep",
    "grep -n a f | grep -v b",
    "$RUN | grep -v b && (",
    "",
  ])("finds nothing in %j", (script) => {
    expect(hidesExit(script)).toBeNull();
  });
});
