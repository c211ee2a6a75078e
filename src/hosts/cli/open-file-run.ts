import { resolve } from "node:path";
import { messageIn, senderOf } from "../node/consent/own-gate.ts";
import { findSpec } from "../node/find-spec.ts";
import { type FileRun, fileRun } from "../node/hand-out/file-run.ts";
import { specOfNonce } from "../node/hand-out/open-work.ts";
import { callAddress } from "./call-address.ts";
import type { OptionValues, Surroundings } from "./cli-command.ts";
import { readRunFlags } from "./options/run-flags.ts";
import { prepareRun } from "./prepare-run.ts";

/** A run whose tasks are handed out, with notices to print. */
export interface OpenFileRun {
  readonly run: FileRun;
  readonly notices: readonly string[];
}

/**
 * Open a run whose tasks are handed out, with the settings of the command line and the config file.
 *
 * @param nonce Nonce of a report; finds the spec if `spec` is undefined.
 * @throws {InputError} `own-gate`, and the errors of reading options, config and spec
 * @throws {EnvironmentError} `user-folder-unusable`, `file-refused`
 */
export async function openFileRun(
  spec: string | undefined,
  values: OptionValues,
  { folder, signal }: Pick<Surroundings, "folder" | "signal">,
  nonce?: string,
): Promise<OpenFileRun> {
  const said = readRunFlags(values);
  const place = resolve(folder, said.cwd ?? ".");
  const found =
    spec === undefined && nonce !== undefined
      ? specOfNonce(nonce, place)
      : findSpec(spec, place, nonce === undefined ? "next" : `report ${nonce}`);
  const speaker = senderOf(found, messageIn(said));
  const address = { ...callAddress(found, values, folder), start: "next" } as const;
  const { options, notices, keep } = await prepareRun(found, said, { folder, address, executor: nobody });
  const { executors, workspace, ...others } = options;
  const { executor: _, rungs: __, ...roles } = executors;
  return {
    run: fileRun({
      ...others,
      workspace,
      executors: roles,
      speaker,
      signal,
      onEvent: ({ type }) => void (type === "run.started" && keep()),
    }),
    notices: notices.filter((line) => !line.startsWith("executor")),
  };
}

export const nobody = async (): Promise<string> => "";
