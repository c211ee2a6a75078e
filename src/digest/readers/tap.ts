import type { ToolReader } from "../reader.ts";
import { readTap } from "./tap-points.ts";

/** The Test Anything Protocol as all print it but the runner of Node. An id is the names from the outermost. */
export const tap: ToolReader = { tool: "tap", kind: "tests", open: () => readTap(false) };

/** The runner of Node where it prints this protocol. */
export const nodeTap: ToolReader = { tool: "node:test", kind: "tests", open: () => readTap(true) };
