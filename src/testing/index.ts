export type { Contract } from "./contract.ts";
export { type DocumentsSubject, documentsContract, type OpenDocuments } from "./documents-contract.ts";
export { type Host, type HostResult, hostContract } from "./host-contract.ts";
export { type MemoryStore, memoryStore } from "./memory-store.ts";
export { failedReply, type ScriptedAnswer, type ScriptedExecutor, scriptedExecutor } from "./scripted-executor.ts";
export { scriptedShell } from "./scripted-shell.ts";
export { stillClock } from "./still-clock.ts";
