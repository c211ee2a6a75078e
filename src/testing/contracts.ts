export type { Contract } from "./contract.ts";
export { type DocumentsSubject, documentsContract, type OpenDocuments } from "./documents-contract.ts";
export type { Host, HostResult } from "./host.ts";
export { hostContract } from "./host-contract.ts";
