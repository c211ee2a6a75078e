import type { PersonAnswer, Ports } from "../../src/ports/ports.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export function simulatedPerson(world: World, life: Life): NonNullable<Ports["person"]> {
  const random = world.chanceOf("person");
  return (question, signal) =>
    life.through(`the question about ${question.task}`, async () => {
      await Promise.race([world.clock.wait(random.below(600_000)), stopped(signal)]);
      const answer = random.chance(world.rates.away) ? null : anyAnswer(world);
      world.count(answer === null ? "nobody answers" : "a person answers");
      world.tell(
        `${question.task}: ${answer === null ? "nobody is there" : `a person says ${JSON.stringify(answer)}`}`,
      );
      return answer;
    });
}

function anyAnswer(world: World): PersonAnswer {
  const random = world.chanceOf("person");
  return random.pick<PersonAnswer>([
    { kind: "decided", decision: "retry" },
    { kind: "decided", decision: "skip" },
    { kind: "decided", decision: "skip-task" },
    { kind: "decided", decision: "stop" },
    { kind: "guided", text: "Use the other library" },
    { kind: "guided", text: "" },
  ]);
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
