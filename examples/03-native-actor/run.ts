/**
 * The task machine as an ordinary XState actor, with its events and `inspect`. The ports are those for tests: the plan
 * lies in memory, and the executor follows a script.
 *
 *     npm run build && node examples/03-native-actor/run.ts   (Node 22.18 or later)
 */

import { createTaskMachine } from "fixpoint/machines";
import { createEffects } from "fixpoint/run";
import { failedReply, memoryStore, scriptedExecutor, scriptedShell, stillClock } from "fixpoint/testing";
import { createActor, toPromise } from "xstate";

const documents = memoryStore("- [ ] 1.1 Add the parser\n  - **Verify**: `npm test`\n");
// Fails at its first delegation and completes whatever comes after that.
const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "File not found: src/parser.ts")] });

const effects = createEffects({
  executors: { executor, verifier: executor },
  documents,
  shell: scriptedShell(),
  clock: stillClock(),
});

const actor = createActor(createTaskMachine(effects), {
  input: { root: "1.1", policy: { recovery: ["fix"] } },
  inspect: (event) => {
    if (event.type !== "@xstate.snapshot" || event.actorRef !== actor) return;
    const { value, context } = actor.getSnapshot();
    console.log(`${context.current} ${value}`);
  },
});
actor.on("fix.inserted", ({ task, fix, limit }) => console.log(`-> ${fix} repairs ${task}, of at most ${limit}`));
actor.start();

const outcome = await toPromise(actor);
console.log(`\n${outcome.kind}\n\n${documents.tasks.text}`);
