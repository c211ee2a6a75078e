import type { PersonEvent } from "../../src/model/person-event.ts";
import type { RunControl } from "../../src/runtime/run-control.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export function saysSomething(world: World, life: Life, control: RunControl): void {
  const random = world.chanceOf("words");
  if (!random.chance(world.rates.word)) return;
  const event = random.pick<PersonEvent>([
    { type: "pause" },
    { type: "pause" },
    { type: "guidance.given", text: "Mind the line ends" },
    { type: "decision.made", decision: "skip" },
    { type: "decision.made", decision: "skip-task" },
    { type: "resume" },
    { type: "cancel" },
  ]);
  const say = (said: PersonEvent): void => {
    if (life.isDead()) return;
    world.count(`word: ${said.type}`);
    world.tell(`a person says ${JSON.stringify(said)}`);
    control.send(said);
  };
  const { clock } = world;
  clock.after(random.below(20_000), () => {
    say(event);
    if (event.type === "pause") clock.after(random.below(600_000), () => say({ type: "resume" }));
  });
}
