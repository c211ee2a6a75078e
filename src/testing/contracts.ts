export { type DocumentsSubject, documentsContract, type OpenDocuments } from "./documents-contract.ts";
export type { Contract, Host, HostResult } from "./host.ts";
export { hostContract } from "./host-contract.ts";
