import * as restate from "@restatedev/restate-sdk";
import { createActs, createRunMemory, durableBy, endRun, performAct } from "fixpoint/run";

/**
 * A Restate workflow that runs a plan to its outcome. Each event of the run is one `ctx.run`, in order.
 *
 * @param open Gets the input of the workflow and a function that sends messages to the run. Returns ports, policy, and
 *   functions that save all documents as JSON and restore them.
 */
export const specWorkflow = (open) =>
  restate.workflow({
    name: "fixpoint",
    handlers: { run: (ctx, input) => runSpec(ctx, (say) => open(input, say)) },
    // An agent may work for an hour without output, and Restate counts each crash as an attempt.
    options: {
      ...{ inactivityTimeout: { hours: 1 }, abortTimeout: { hours: 1 } },
      retryPolicy: { maxAttempts: 1_000_000, initialInterval: { milliseconds: 50 }, maxInterval: { seconds: 1 } },
    },
  });

export async function runSpec(ctx, open) {
  const { ports, policy, save, restore } = open((event) => durable.say(event));
  const applied = new WeakSet();
  let record = () => {};
  const append = (records) => {
    for (const each of records) applied.add(each);
    record(records);
  };
  const memory = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  const apply = (records) => {
    for (const each of records) if (!applied.has(each)) memory.apply(each);
    for (const each of records) applied.add(each);
    return records;
  };
  const whole = { ...ports, attempts: memory };
  let acts = null;
  let documents = await ctx.run("begin", async () => save());
  let isReplay = true;
  const step = (name, act) =>
    ctx.run(name, async () => {
      if (isReplay) restore(documents);
      isReplay = false;
      return await act();
    });
  const durable = durableBy({
    policy,
    once: async (at, happening) => {
      let made = null;
      const kept = await step(`event ${at}`, async () => {
        made = apply(await happening());
        return { records: made, documents: save() };
      });
      documents = kept.documents;
      return made ?? apply(kept.records);
    },
    perform: async (effect, { signal, record: keep }) => {
      record = keep;
      // Create the acts only after the replay, because they read the replayed plan.
      acts ??= createActs(whole);
      return { ...(await performAct(acts, effect, signal)), records: [] };
    },
  });
  const outcome = await durable.done;
  return await step("end", async () => (await endRun(whole, outcome, policy)).ended.outcome);
}
