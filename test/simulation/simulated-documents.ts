import { EnvironmentError } from "../../src/model/errors.ts";
import type { Documents, PlanEdit } from "../../src/ports/documents.ts";
import type { Life } from "./life.ts";
import { watchChange, watchClosing, watchInsertion, watchTick } from "./watch-edits.ts";
import { watchLog } from "./watch-log.ts";
import type { World } from "./world.ts";

export function simulatedDocuments(world: World, life: Life): Documents {
  const { store, clock } = world;
  const random = world.chanceOf("documents");
  const through = async <Result>(place: string, call: () => Promise<Result>): Promise<Result> => {
    if (random.chance(0.05)) await clock.wait(random.below(50));
    return life.through(place, call);
  };
  const edit = (place: string, make: () => Promise<PlanEdit>): Promise<PlanEdit> =>
    through(place, () => {
      if (world.rates.refuse > 0 && random.chance(0.01)) {
        throw new EnvironmentError("Cannot write, the plan was changed", { code: "plan-changed-underneath" });
      }
      return make();
    });
  const log = (place: string, write: () => Promise<void>, isReplaced = false): Promise<void> =>
    through(place, async () => {
      const before = store.log.text;
      await write();
      if (!isReplaced) watchLog(world, before, store.log.text);
    });
  return {
    read: () => through("a look at the plan", () => store.read()),
    insert: (fix) =>
      edit(`the insertion of ${fix.id}`, async () => watchInsertion(world, fix, await store.insert(fix))),
    tick: (task, done) =>
      edit(`${done ? "the tick" : "the clearing"} of ${task}`, async () =>
        watchTick(world, { task, done }, await store.tick(task, done)),
      ),
    close: (task, by) =>
      edit(`the closing of ${task}`, async () => watchClosing(world, task, by, await store.close(task, by))),
    change: (change) =>
      edit(`the change for ${change.task}`, async () => watchChange(world, change, await store.change(change))),
    rewrite: (make) => edit("the restoring of the plan", () => store.rewrite(make)),
    artifact: (name) => through(`a look at ${name}`, () => store.artifact(name)),
    progress: (member) => through("a look at the log", () => store.progress(member)),
    merge: (members, done) => log("the merging of logs", () => store.merge(members, done)),
    append: (entry) => log("a line for the log", () => store.append(entry), entry.kind === "reality"),
    summarize: (entry) => through("a line for the summary", () => store.summarize(entry)),
    report: (text, path) => through("the report", () => store.report(text, path)),
  };
}
