// Replays one trial under one policy. The record of the trial determines the result of Verify after each delegation.
import { createTaskMachine } from "fixpoint/machines";
import { createEffects } from "fixpoint/run";
import { memoryStore, stillClock } from "fixpoint/testing";
import { createActor, toPromise } from "xstate";

const plan = "- [ ] 1.1 Make the tests pass\n  - **Verify**: `pytest -q`\n";

/**
 * Ends at a pivot or a question, because the record does not show the effect of another prompt.
 *
 * @param counts Whether Verify prints how many tests fail.
 * @returns `used`: number of sessions. `end`: `solved`, `stopped` (a limit), `stuck` (a pivot or a question) or `cap`
 *   (end of the record).
 */
export function replayTrial(trial, { policy, counts }) {
  const { total, start, sessions } = trial;
  let used = 0;
  const failing = () => (used === 0 ? start : sessions[used - 1].failing);
  return new Promise((resolve, reject) => {
    const end = (kind) => resolve({ used, end: kind });
    const executor = ({ role }) => {
      if (used > 0 && failing() === 0) return finish("solved");
      if (role !== "executor") return finish("stuck");
      if (used === sessions.length) return finish("cap");
      used += 1;
      return "TASK_COMPLETE";
    };
    const shell = { exists: async () => true, run: async () => outputOf(failing(), { total, counts }) };
    const documents = memoryStore(plan);
    const onEvent = ({ type, level }) => {
      if (type === "level.changed" && level !== "normal") end("stuck");
    };
    const ports = { executors: { executor: async (asked) => executor(asked) }, documents, shell, clock: stillClock() };
    const actor = createActor(createTaskMachine(createEffects(ports, { policy, onEvent })), { input: { root: "1.1" } });
    function finish(kind) {
      end(kind);
      actor.stop();
      return "";
    }
    actor.start();
    toPromise(actor).then((outcome) => end(kinds[outcome?.kind] ?? "stuck"), reject);
  });
}

const kinds = { passed: "solved", exhausted: "stopped" };

function outputOf(failing, { total, counts }) {
  const passed = `${total - failing} passed in 0.10s`;
  const red = counts ? `=========== ${failing} failed, ${passed} ===========` : "The tests have not passed.";
  const stdout = `${failing === 0 ? `=========== ${passed} ===========` : red}\n`;
  return { exitCode: failing === 0 ? 0 : 1, stdout, stderr: "", durationMs: 100, timedOut: false };
}
