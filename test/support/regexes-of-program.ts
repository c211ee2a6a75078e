import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { compileProgram } from "./compile-program.ts";
import { findRegexes, type WrittenRegex } from "./written-regexes.ts";

export interface ProgramRegexes {
  readonly all: readonly WrittenRegex[];
  readonly literals: number;
  readonly unseen: readonly string[];
}

export async function regexesOfProgram(root: string): Promise<ProgramRegexes> {
  const { folder, remove } = await compileProgram(root);
  try {
    const { literals, constructions } = findRegexes(folder);
    const collector = join(root, "test/support/constructed-regexes.mjs");
    const constructed: WrittenRegex[] = JSON.parse(
      execFileSync(process.execPath, [collector, folder], { encoding: "utf8" }),
    );
    const seen = new Set(constructed.map(({ file, line }) => `${file}:${line}`));
    const all = [...literals, ...constructed].map((each) => [`${each.source} ${each.flags}`, each] as const);
    return {
      all: [...new Map(all).values()],
      literals: literals.length,
      unseen: constructions.filter((place) => !seen.has(place)),
    };
  } finally {
    remove();
  }
}
