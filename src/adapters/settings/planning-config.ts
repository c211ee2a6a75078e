import { join } from "node:path";
import * as z from "zod";
import { InputError } from "../../model/errors.ts";
import { interpreted } from "../../model/interpreted.ts";
import { readSettings } from "./settings-file.ts";

/** Another system's settings for the repair of tasks. */
export interface PlanningConfig {
  /** Null when they leave it open. */
  readonly nodeRepair: boolean | null;
  /** Directives for one task; null when they leave it open. Without repair it is 0. */
  readonly repairBudget: number | null;
}

const Config = z.object(
  {
    workflow: z
      .object(
        {
          node_repair: z.boolean("expected true or false").optional(),
          node_repair_budget: z
            .int("expected a whole number of at least 0")
            .min(0, "expected a whole number of at least 0")
            .optional(),
        },
        "expected an object",
      )
      .optional(),
  },
  "expected an object",
);

/**
 * Read `.planning/config.json` of a workspace, if it exists. Keys that are not about repair are ignored.
 *
 * @param workspace Absolute folder. A link out of it is refused.
 * @throws {InputError} `planning-config-malformed`
 * @throws {EnvironmentError} `file-refused`
 */
export function readPlanningConfig(workspace: string): PlanningConfig {
  const path = join(workspace, ".planning", "config.json");
  const text = readSettings(path, workspace, (expected) => malformed(path, expected));
  const { node_repair: nodeRepair = null, node_repair_budget: budget = null } =
    (text === null ? {} : parseConfig(path, text)).workflow ?? {};
  return { nodeRepair, repairBudget: nodeRepair === false ? 0 : budget };
}

function parseConfig(path: string, text: string): z.infer<typeof Config> {
  const parsed = Config.safeParse(jsonIn(path, text), interpreted);
  if (parsed.success) return parsed.data;
  const { path: key, message } = parsed.error.issues[0] ?? { path: [], message: "expected an object" };
  throw malformed(path, key.length === 0 ? message : `\`${key.join(".")}\`: ${message}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw malformed(path, "expected JSON", cause);
  }
}

const malformed = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot use \`${path}\`, ${expected}`, {
    code: "planning-config-malformed",
    hint: "Mend it, or take it away to use the options of fixpoint alone",
    cause,
  });
