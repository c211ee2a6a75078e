import { fstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { EnvironmentError, FixpointError, InputError } from "../../model/errors.ts";
import { interpreted } from "../../model/parse-json.ts";
import { isWithin } from "../files/folder.ts";
import { withOwn } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import type { FailureRecovery } from "./failure-recovery.ts";

const maxBytes = 1024 * 1024;

/**
 * Null if the file does not exist.
 *
 * @param folder Absolute folder. A link out of the folder is refused.
 * @param malformed Makes the error for an unexpected file.
 * @throws {EnvironmentError} `file-refused`
 */
function readSettings(path: string, folder: string, malformed: (expected: string) => InputError): string | null {
  try {
    const target = realpathSync(path);
    if (!isWithin(target, realpathSync(folder))) throw linkOut(path);
    return withOwn(target, "read", (file) => {
      if (fstatSync(file).size > maxBytes) throw malformed(`expected at most ${maxBytes} bytes`);
      return readFileSync(file, "utf8");
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    return refused("read", path, () => {
      throw cause;
    });
  }
}

const linkOut = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot use \`${path}\`, expected a file inside the workspace, not a link out of it`, {
    code: "file-refused",
    hint: "Replace the link with the file, then run again to resume",
  });

/** Settings in `.planning/config.json` for the repair of tasks. */
interface PlanningConfig {
  readonly nodeRepair: boolean | null;
  /** Maximum number of directives per task; null if not set, 0 if repair is off. */
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
 * Read `.planning/config.json` of a workspace, if it exists. Keys unrelated to repair are ignored.
 *
 * @param workspace Absolute folder. A link out of the folder is refused.
 * @throws {InputError} `planning-config-malformed`
 * @throws {EnvironmentError} `file-refused`
 */
export function readPlanningConfig(workspace: string): PlanningConfig {
  const path = join(workspace, ".planning", "config.json");
  const text = readSettings(path, workspace, (expected) => badConfig(path, expected));
  const { node_repair: nodeRepair = null, node_repair_budget: budget = null } =
    (text === null ? {} : parseConfig(path, text)).workflow ?? {};
  return { nodeRepair, repairBudget: nodeRepair === false ? 0 : budget };
}

function parseConfig(path: string, text: string): z.infer<typeof Config> {
  const parsed = Config.safeParse(jsonIn(path, text), interpreted);
  if (parsed.success) return parsed.data;
  const { path: key, message } = parsed.error.issues[0] ?? { path: [], message: "expected an object" };
  throw badConfig(path, key.length === 0 ? message : `\`${key.join(".")}\`: ${message}`);
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw badConfig(path, "expected JSON", cause);
  }
}

const badConfig = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot use \`${path}\`, ${expected}`, {
    code: "planning-config-malformed",
    hint: "Fix it, or remove it to use only the options of fixpoint",
    cause,
  });

const name = "state.yaml";

/**
 * Read the limits under `failure_recovery` of a `state.yaml` that another system wrote. The file is searched in the
 * spec folder, in the workspace, and in that system's own folder; the first file with this section is used.
 *
 * @throws {InputError} `yaml-malformed`
 * @throws {EnvironmentError} `file-refused`
 */
export async function readStateLimits(specFolder: string, workspace: string): Promise<FailureRecovery["limits"]> {
  const places = [
    [specFolder, name],
    [workspace, name],
    [workspace, join(".claude", "smart-ralph", name)],
  ] as const;
  for (const [folder, place] of places) {
    const path = join(folder, place);
    const text = readSettings(path, folder, (expected) => badState(path, expected));
    if (text?.includes("failure_recovery") === true) return limitsIn(path, text);
  }
  return {};
}

async function limitsIn(path: string, text: string): Promise<FailureRecovery["limits"]> {
  const { readRecoveryLimits } = await import("./failure-recovery.ts");
  try {
    return readRecoveryLimits(text);
  } catch (cause) {
    if (!(cause instanceof FixpointError)) throw cause;
    throw badState(path, cause.message.replace(/^Cannot (?:use|read) /, ""), cause);
  }
}

const badState = (path: string, reason: string, cause?: unknown): InputError =>
  new InputError(`Cannot use \`${path}\`: ${reason}`, {
    code: "yaml-malformed",
    hint: "Fix it, or remove it to use only the options of fixpoint",
    cause,
  });
