/**
 * The task machine as an ordinary XState actor, with `inspect`. The plan is in memory, and the executor follows a
 * script.
 *
 *     npm run build && node examples/03-native-actor/run.ts   (Node 22.18 or later)
 */

import { createTaskMachine } from "fixpoint/machines";
import { createEffects } from "fixpoint/run";
import { failedReply, memoryStore, scriptedExecutor, scriptedShell, stillClock } from "fixpoint/testing";
import { createActor, toPromise } from "xstate";

const documents = memoryStore("- [ ] 1.1 Add the parser\n  - **Verify**: `npm test`\n");
const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "File not found: src/parser.ts")] });

// Verify fails three times: before the work, after the first attempt, and before the fix task.
const red = { exitCode: 1 };
const shell = scriptedShell({ "npm test": [red, red, red] });

const ports = { executors: { executor, verifier: executor }, documents, shell, clock: stillClock() };
const effects = createEffects(ports, {
  policy: { recovery: ["fix"] },
  onEvent: (event) => {
    if (event.type !== "fix.inserted") return;
    console.log(`-> ${event.fix} repairs ${event.task} (at most ${event.limit} fixes)`);
  },
});

const actor = createActor(createTaskMachine(effects), {
  input: { root: "1.1" },
  inspect: (event) => {
    if (event.type !== "@xstate.snapshot" || event.actorRef !== actor) return;
    const { value, context } = actor.getSnapshot();
    console.log(`${context.current} ${value}`);
  },
});
actor.start();

const outcome = await toPromise(actor);
console.log(`\n${outcome.kind}\n\n${documents.tasks.text}`);
