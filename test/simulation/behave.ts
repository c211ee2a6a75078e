import type { Reply } from "../../src/model/reply.ts";
import { failedReply } from "../../src/testing/scripted-ports.ts";
import { askForChange } from "./ask-for-change.ts";
import { editPlan } from "./edit-plan.ts";
import { hostileText } from "./hostile-text.ts";
import type { Behaviour } from "./rates.ts";
import { finish, learn, mend, type Scene } from "./scene.ts";

type Act = (scene: Scene) => Promise<Reply | string>;

const errors = ["Too many re-renders", "Expected 2, received 1", "No such file: src/a.ts", "boom"] as const;
const admissions = [
  "",
  "",
  "",
  "I don't know how to go on.",
  "Trying: memoize the list",
  "Found: zod is in use",
] as const;

export const behave: Readonly<Record<Behaviour, Act>> = {
  does: async (scene) => {
    await workOn(scene);
    if (!finish(scene)) return failedReply(scene.delegation.taskId, "what it needs is missing");
    if (scene.random.chance(0.4)) learn(scene, `- Learned from ${scene.delegation.taskId}`);
    if (ticks(scene)) editPlan(scene, "tickOwn");
    return { text: `It works.\n${scene.claim}`, ...usageOf(scene) };
  },
  fails: async (scene) => {
    await workOn(scene);
    const text = `${scene.random.pick(admissions)}\n${failedReply(scene.delegation.taskId, scene.random.pick(errors))}`;
    return { text, ...usageOf(scene) };
  },
  mumbles: async (scene) => {
    await workOn(scene);
    return scene.random.pick([
      ...(["", "I could not do it.", "VERIFICATION_FAIL", "Done!", "The task is complete", "TASK_COMPLET"] as const),
      ...([`> ${scene.claim}`, `\`\`\`\n${scene.claim}\n\`\`\``, `I will say ${scene.claim} later`] as const),
      failedReply("9.9", "boom"),
    ]);
  },
  lies: async (scene) => {
    await workOn(scene);
    if (ticks(scene)) editPlan(scene, "tickOwn");
    return `All done and verified.\n${scene.claim}`;
  },
  contradicts: async (scene) => {
    await workOn(scene);
    if (scene.random.chance(0.5)) finish(scene);
    return `${scene.random.pick(["It needs human eyes.", "This requires manual steps.", "It could not be tested."])}\n${scene.claim}`;
  },
  crashes: async (scene) => {
    await workOn(scene);
    const text = scene.random.pick(["", "Segmentation", scene.claim]);
    return { text, exitCode: scene.random.pick([1, 2, 134, 137, 139]), stderr: scene.random.pick(["", "panic: boom"]) };
  },
  hangs: async (scene) => {
    await workOn(scene);
    if (scene.random.chance(0.3)) finish(scene);
    return scene.process.hang(scene.random.pick(["silent", "chatty"]));
  },
  floods: async (scene) => {
    await workOn(scene);
    const text = scene.random.pick([`${"lorem ".repeat(900)}\n`, `${"x".repeat(5000)}\n${scene.claim}`]);
    return { text, ended: "flood" };
  },
  babbles: async (scene) => {
    await workOn(scene);
    const { taskId } = scene.delegation;
    return failedReply(taskId, hostileText(scene.random), hostileText(scene.random)) + hostileText(scene.random);
  },
  tampers: async (scene) => {
    await workOn(scene);
    editPlan(scene);
    await scene.process.work(scene.random.below(5000));
    if (scene.random.chance(0.8)) finish(scene);
    return scene.claim;
  },
  asks: async (scene) => {
    await workOn(scene);
    return askForChange(scene);
  },
  unavailable: async (scene) => {
    const { random, world } = scene;
    await scene.process.work(random.below(1000));
    const until = world.clock.now() + random.pick([1000, 60_000, 3_600_000, -60_000]);
    const passing: readonly [Reply, ...Reply[]] = [
      { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "You have hit your limit", until } },
      { text: "", exitCode: 1, stderr: "Error: 429 Too many requests" },
      { text: "", exitCode: 1, problem: { kind: "offline", message: "getaddrinfo EAI_AGAIN" } },
    ];
    // Compared runs must not ask a person, because the answer would change the next start.
    if (world.options.compare === true) return random.pick(passing);
    return random.pick<Reply>([
      ...passing,
      { text: "", exitCode: 1, problem: { kind: "auth", message: "Not logged in" } },
      { text: "", exitCode: 1, problem: { kind: "permission", message: "credit balance is too low" } },
      { text: "", exitCode: 1, problem: { kind: "context-exhausted", message: "prompt is too long" } },
    ]);
  },
  refuses: async ({ random }) => {
    if (random.chance(0.5)) return { text: "no such agent", ended: "spawn" };
    throw new Error("no agent answers");
  },
  mends: async (scene) => {
    await workOn(scene);
    if (!mend(scene)) return failedReply(scene.delegation.taskId, "what it needs is missing");
    if (ticks(scene)) editPlan(scene, "tickOwn");
    return { text: `It is better.\n${scene.claim}`, ...usageOf(scene) };
  },
  blocks: async (scene) => {
    await workOn(scene);
    if (scene.random.chance(0.3)) mend(scene);
    const question = scene.random.pick(["Which of the two libraries?", "May the old files go?\nAll of them?"]);
    return scene.random.pick<Reply | string>([
      `I looked at both.\nBLOCKED: ${question}`,
      `${scene.claim}\nBLOCKED: ${question}`,
      { text: "It has to be decided.", claim: { kind: "blocked", question } },
    ]);
  },
};

const workOn = ({ process, random }: Scene): Promise<void> =>
  process.work(random.chance(0.1) ? random.below(1_200_000) : random.below(20_000));

const ticks = ({ world, random }: Scene): boolean => world.policy.requireExecutorTick || random.chance(0.2);

const usageOf = ({ random }: Scene): Pick<Reply, "usage"> =>
  random.chance(0.5) ? { usage: { inputTokens: random.below(900), outputTokens: 10, costUsd: 0.1 } } : {};
