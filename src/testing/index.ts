export { simulate } from "../hosts/simulation/simulate.ts";
export type {
  Behaviour,
  SimulatedExecutor,
  SimulatedRun,
  SimulatedWorld,
  SimulationOptions,
} from "../hosts/simulation/simulation.ts";
export { type FakeForge, fakeForge } from "./fake-forge.ts";
export type { ForgeScript, ForgeWorld, KeptForge, ScriptedCheck, WorldJob, WorldPullRequest } from "./forge-world.ts";
export { type MemoryStore, memoryStore } from "./memory-store.ts";
export {
  failedReply,
  type ScriptedAnswer,
  type ScriptedExecutor,
  scriptedExecutor,
  scriptedShell,
  stillClock,
} from "./scripted-ports.ts";
