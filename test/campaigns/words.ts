import type { Campaign } from "./campaign.ts";
import { type Row, rows } from "./words/rows.ts";
import { type Told, tryRow } from "./words/try-row.ts";

const most = 2;

/**
 * Campaign of runs through the command line. Executors do the work, but report it badly or meet problems unrelated to
 * the task.
 */
export const wordsCampaign: Campaign = {
  name: "words",
  about: "executors that finish the work but report it in wrong wording, and the inputs of public reports",
  counts: "rows",
  page: "docs/evidence/words.md",
  trials: [
    {
      ...{ name: "words", full: rows.length, short: 4, batch: 2 },
      run: async ({ from, count }, { program }) => {
        const counts = { rows: 0, "delegations beside": 0, "fix tasks": 0 };
        const violations: string[] = [];
        for (const row of rows.slice(from, from + count)) {
          const told = await tryRow(row, program);
          counts.rows += 1;
          if (row.isUndone === undefined) {
            counts["delegations beside"] += Math.max(0, told.delegations - (row.perfect ?? 1));
            counts["fix tasks"] += told.fixes.length;
          }
          const wrong = judge(row, told);
          if (wrong !== null) violations.push(`${row.name}: ${wrong}\n${told.said.trim()}`);
        }
        return { counts, violations };
      },
    },
  ],
};

function judge(row: Row, { exitCode, said, delegations, fixes }: Told): string | null {
  const ends = { done: [0], asked: [3], refused: [2, 3], any: [0, 1, 3] }[row.end];
  if (!ends.includes(exitCode ?? -1)) return `exit ${exitCode}, expected ${ends.join(" or ")}`;
  if (row.end === "refused" && delegations > 0) return "it was delegated";
  if (row.prints !== undefined && !row.prints.test(said)) return `it does not print ${row.prints.source}`;
  if (row.never?.test([said, ...fixes].join("\n")) === true) return `it has ${row.never.source}`;
  if (row.isUndone === true) return null;
  if (fixes.length > 0) return `a fix task: ${fixes.join("; ")}`;
  return delegations > (row.perfect ?? 1) + most ? `${delegations} delegations` : null;
}
