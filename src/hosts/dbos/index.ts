/** Runs of many specs on many machines, with DBOS Transact over Postgres. Needs `@dbos-inc/dbos-sdk`. */
export { type Fleet, type FleetWorker, readFleet, sayToRun } from "./fleet.ts";
export type { ShownRun } from "./protocol.ts";
export { type SubmitOptions, submitSpec } from "./submit.ts";
export { startWorker, type Worker, type WorkerOptions } from "./worker.ts";
