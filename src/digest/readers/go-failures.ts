import { listFindings } from "../finding-list.ts";
import { maxFindings, type Reading } from "../reader.ts";
import type { GoNote } from "./go-note.ts";

/** Collects the tests and the packages that failed. */
export interface GoFailures {
  readonly addTest: (pack: string, test: string, note: GoNote | null) => void;
  /** A package that failed without a test that did. */
  readonly addPackage: (pack: string, message: string | null) => void;
  /** A failure of which nothing is known but that there is one. */
  readonly count: () => void;
  readonly end: () => Reading | null;
}

export function collectGoFailures(): GoFailures {
  const tests = new Map<string, GoNote | null>();
  const packages = new Map<string, string | null>();
  let unnamed = 0;
  const count = (): void => {
    unnamed += 1;
  };
  return {
    addTest: (pack, test, note) => {
      if (tests.size < 2 * maxFindings) tests.set(`${pack} ${test}`, note);
      else count();
    },
    addPackage: (pack, message) => {
      if (packages.size < maxFindings) packages.set(pack, message);
      else count();
    },
    count,
    end: () => {
      const findings = listFindings();
      const parents = new Set([...tests.keys()].flatMap(parentsOf));
      let failed = unnamed;
      const add: typeof findings.add = (finding) => {
        failed += 1;
        findings.add(finding);
      };
      for (const [id, note] of tests) {
        // A test fails with each of its subtests.
        if (parents.has(id)) continue;
        const { message, ...place } = note ?? { file: null, line: null, message: null };
        add({ id, ...place, message: message ?? "failed" });
      }
      for (const [id, message] of packages) add({ id, file: null, line: null, message: message ?? "failed" });
      return findings.end({ failed });
    },
  };
}

function parentsOf(id: string): string[] {
  const parents: string[] = [];
  const start = id.indexOf(" ");
  for (let slash = id.indexOf("/", start); slash !== -1; slash = id.indexOf("/", slash + 1)) {
    parents.push(id.slice(0, slash));
  }
  return parents;
}
