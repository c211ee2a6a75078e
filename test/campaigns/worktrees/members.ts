import type { Random } from "../../../src/model/random.ts";
import { planOf, taskOf } from "../scenarios/plan-of.ts";
import type { Scenario } from "../scenarios/scenario.ts";

export interface Members extends Scenario {
  readonly edits: Readonly<Record<string, readonly number[]>>;
}

export const lineCount = 24;

export const lineOf = (number: number): string => `line ${number}:`;

const letters = ["a", "b", "c", "d"];

export function drawMembers({ next }: Random): Members {
  const pick = (count: number): number[] =>
    [...new Set(Array.from({ length: count }, () => 1 + Math.floor(next() * lineCount)))].sort((a, b) => a - b);
  const edits = Object.fromEntries(letters.map((letter) => [letter, pick(1 + Math.floor(next() * 3))]));
  // Makes two members conflict in at least half of the scenarios.
  if (next() < 0.5) edits["d"] = edits["a"] ?? [];
  const isNoCommit = next() < 0.7;
  const tasks = letters.map((letter, at) => {
    const checks = (edits[letter] ?? []).map((line) => `sed -n ${line}p shared.txt | grep -q ${letter}`);
    return taskOf(`1.${at + 1} [P] Member ${letter}`, {
      Verify: `\`${[`test -e ${letter}`, ...checks].join(" && ")}\``,
    });
  });
  const cases = letters.map(
    (letter, at) => `1.${at + 1}) letter=${letter}; lines='${(edits[letter] ?? []).join(" ")}';;`,
  );
  return {
    name: "members that collide",
    plan: planOf(...tasks),
    repository: true,
    files: {
      "shared.txt": `${Array.from({ length: lineCount }, (_, at) => lineOf(at + 1)).join("\n")}\n`,
      ".gitignore": "spec/.fixpoint/\n",
      "kept.txt": "kept\n",
    },
    executor: [
      `case $id in ${cases.join(" ")} esac`,
      "for line in $lines; do",
      '  sed -n "$' + '{line}p" shared.txt | grep -q "$letter" && continue',
      '  [ "$attempt" = 1 ] && sed -i "$' +
        '{line}s/:.*/: $letter/" shared.txt || sed -i "$' +
        '{line}s/$/ $letter/" shared.txt',
      "done",
      ': > "$letter"',
      "claim",
    ].join("\n"),
    flags: ["--worktrees", "--max-parallel", next() < 0.5 ? "4" : "2", ...(isNoCommit ? [] : ["--commit", "all"])],
    width: 4,
    edits,
  };
}
