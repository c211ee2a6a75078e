import { finish, type Scene } from "./scene.ts";

export function askForChange(scene: Scene): string {
  const { world, random, delegation, claim, command } = scene;
  const { taskId } = delegation;
  const type = random.pick(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP", "REWRITE_ALL"]);
  const isClaimed = type === "ADD_FOLLOWUP" ? random.chance(0.9) : random.chance(0.1);
  if (isClaimed) finish(scene);
  const letters = random.pick(["a", "b", "c"]);
  const ids = type === "SPLIT_TASK" ? [`${taskId}${letters}1`, `${taskId}${letters}2`] : [`${taskId}${letters}`];
  // Concurrent tasks of compared runs need different commands, because the order of equal commands would change the
  // result.
  const isAlone = world.options.compare === true;
  const keeps = (index: number): boolean => index === ids.length - 1 && (!isAlone || type === "SPLIT_TASK");
  const proposed = ids.map((id, index) => block(scene, id, keeps(index) ? command : `check ${id}`));
  if (random.chance(0.1)) proposed.push("- [ ] no id\n");
  const request = {
    type,
    originalTaskId: random.chance(0.9) ? taskId : "9.9",
    reasoning: "It is more than that",
    proposedTasks: proposed,
  };
  const json = random.chance(0.95) ? JSON.stringify(request) : JSON.stringify(request).slice(0, -5);
  return `It is more than that.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${json}\n\`\`\`\n${isClaimed ? claim : ""}`;
}

const block = ({ world, random }: Scene, id: string, command: string): string =>
  [
    `- [ ] ${id} ${random.chance(0.3) && world.options.compare !== true ? "[P] " : ""}Part of it`,
    "  - **Do**: Make it",
    `  - **Files**: src/${id}.ts`,
    "  - **Done when**: It is there",
    `  - **Verify**: \`${command}\``,
    `  - **Commit**: \`feat: ${id}\``,
    "",
  ].join("\n");
