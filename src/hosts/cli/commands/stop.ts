import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { EnvironmentError, type FixpointError, InputError } from "../../../model/errors.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec, type SpecFolder } from "../../node/find-spec.ts";
import { type StopReceipt, stopRun } from "../../node/message-run.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";

/** End the coordinator of a spec as Ctrl-C does where it runs; answers when it has ended. */
export const stop: CliCommand = {
  options: [],
  example: "fixpoint stop my-feature",
  async run(spec, _values, { terminal, folder, signal }) {
    const found = findSpec(spec, folder, "stop");
    const address = specAddress(found, { from: folder });
    const receipt = await stopRun(found, senderOf(found, "stop"), signal);
    if (receipt.kind !== "ended") throw notStopped(found.name, receipt, address);
    terminal.out(`${escapeText(tell(found, receipt.pid, address))}\n`);
    return 0;
  },
};

function notStopped(
  name: string,
  receipt: Exclude<StopReceipt, { kind: "ended" }>,
  address: SpecAddress,
): FixpointError {
  switch (receipt.kind) {
    case "none":
      return new InputError(`Cannot stop \`${name}\`, expected a run that is going on here`, {
        code: "nothing-to-stop",
        hint: `See where it stands: ${commandLine(address, "status")}`,
      });
    case "elsewhere": {
      const { pid, host } = receipt;
      return new EnvironmentError(`Cannot stop \`${name}\` from here, process ${pid} on \`${host}\` holds it`, {
        code: "spec-on-other-host",
        hint: `Stop it there: ${commandLine(address, "stop")}`,
      });
    }
    case "at-work": {
      const { pid } = receipt;
      return new EnvironmentError(`Cannot stop \`${name}\`, coordinator ${pid} was told to end and is still at work`, {
        code: "not-stopped",
        hint: `See whether it has ended by now: ${commandLine(address, "status")}\nOr end it at once: kill -9 ${pid}`,
      });
    }
  }
}

function tell({ folder, name }: SpecFolder, pid: number, address: SpecAddress): string {
  const goOn = `Go on: ${commandLine(address, "run")}`;
  const { outcome } = readStatus(folder);
  if (outcome === "interrupted") return `Stopped ${name}: coordinator ${pid} has ended. ${goOn}`;
  return outcome === null
    ? `Stopped ${name}: coordinator ${pid} has died before it could end properly. ${goOn}`
    : `Coordinator ${pid} of ${name} had already ended: ${outcome}`;
}
