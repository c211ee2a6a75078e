export type { SimulatedExecutor, SimulatedWorld, SimulationOptions } from "../hosts/simulation/options.ts";
export { type Behaviour, calmRates, type Fault, type Rates, roughRates } from "../hosts/simulation/rates.ts";
export { simulate } from "../hosts/simulation/simulate.ts";
export type { SimulatedRun } from "../hosts/simulation/simulated-run.ts";
export type { Violation } from "../hosts/simulation/world.ts";
export { type MemoryStore, memoryStore } from "./memory-store.ts";
export { failedReply, type ScriptedAnswer, type ScriptedExecutor, scriptedExecutor } from "./scripted-executor.ts";
export { scriptedShell } from "./scripted-shell.ts";
export { stillClock } from "./still-clock.ts";
