import fc from "fast-check";
import { expect, it } from "vitest";
import { repairs, type SpentByTask } from "../../src/model/ledger.ts";
import { spend, spendingOf } from "../../src/run/spending.ts";

const ids = ["1", "2", "1.1", "1.1.1", "a"];
const task = fc.constantFrom(...ids);
const fixes = fc.array(task, { maxLength: 3 });

it("derives the task of a fix, whatever a foreign state file says", () => {
  fc.assert(
    fc.property(fc.dictionary(task, fixes), fc.array(fc.tuple(task, fixes)), (seed, changes) => {
      const spent: SpentByTask = {};
      for (const [id, made] of Object.entries(seed)) spent[id] = { attempts: 0, retries: 0, fixes: made };
      const state = spendingOf(spent);
      for (const [id, made] of [["none", []] as const, ...changes]) {
        spend(state, id, () => ({ fixes: [...made] }));
        expect(ids.map((fix) => state.fixParents[fix])).toEqual(ids.map((fix) => repairs(state.tasks, fix)));
      }
    }),
  );
});
