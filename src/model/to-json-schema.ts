import * as z from "zod";
import { ExecutionState } from "./execution-state.ts";
import { Policy } from "./policy.ts";

const documents = { policy: Policy, state: ExecutionState };

/** JSON schema of a policy as the library takes it, or of the file `.ralph-state.json`. */
export const toJsonSchema = (name: keyof typeof documents): object => z.toJSONSchema(documents[name], { io: "input" });
