import { type JournalReading, readJournal } from "../../../adapters/journal.ts";
import type { SegmentHeader } from "../../../adapters/journal-segment.ts";
import { stopNote } from "../../../adapters/note-file.ts";
import { endProcess } from "../../../adapters/process-identity.ts";
import { whoSpeaks } from "../../../adapters/speaker.ts";
import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { findSpec, type SpecFolder } from "../../node/find-spec.ts";
import { holderElsewhere, holderOf } from "../../node/holder-of.ts";
import { refuseOwnWord } from "../../node/own-gate.ts";
import { readStatus } from "../../node/read-status.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { escapeText } from "../escape-text.ts";
import { waitFor } from "../hear.ts";

/** An executor that is deaf to SIGTERM has 5 s, and so has the last of a batch. */
const patienceMs = 60_000;

/** End the coordinator of a spec as Ctrl-C does where it runs; answers when it has ended. */
export const stop: CliCommand = {
  options: [],
  example: "fixpoint stop my-feature",
  async run(spec, _words, { terminal, folder, signal }) {
    const found = findSpec(spec, folder, "stop");
    const { name, dataFolder } = found;
    const address = specAddress(found, { from: folder });
    refuseOwnWord(found, "stop");
    const holder = findHolder(readJournal(dataFolder), name, address);
    const note = stopNote(dataFolder);
    note.leave(whoSpeaks());
    try {
      endProcess(holder);
    } catch (cause) {
      note.remove();
      throw cause;
    }
    const hasEnded = await waitFor(() => holderOf(readJournal(dataFolder)) === null, patienceMs, signal);
    if (!hasEnded) throw stillAtWork(name, holder.pid, address);
    terminal.out(`${escapeText(tell(found, holder.pid, address))}\n`);
    return 0;
  },
};

function findHolder(reading: JournalReading, name: string, address: SpecAddress): SegmentHeader {
  const here = holderOf(reading);
  if (here !== null) return here;
  const elsewhere = holderElsewhere(reading);
  if (elsewhere !== null) {
    const { pid, host } = elsewhere;
    throw new EnvironmentError(`Cannot stop \`${name}\` from here, process ${pid} on \`${host}\` holds it`, {
      code: "spec-on-other-host",
      hint: `Stop it there: ${commandLine(address, "stop")}`,
    });
  }
  throw new InputError(`Cannot stop \`${name}\`, expected a run that is going on here`, {
    code: "nothing-to-stop",
    hint: `See where it stands: ${commandLine(address, "status")}`,
  });
}

const stillAtWork = (name: string, pid: number, address: SpecAddress): EnvironmentError =>
  new EnvironmentError(`Cannot stop \`${name}\`, coordinator ${pid} was told to end and is still at work`, {
    code: "not-stopped",
    hint: `See whether it has ended by now: ${commandLine(address, "status")}\nOr end it at once: kill -9 ${pid}`,
  });

function tell({ folder, name }: SpecFolder, pid: number, address: SpecAddress): string {
  const goOn = `Go on: ${commandLine(address, "run")}`;
  const { outcome } = readStatus(folder);
  if (outcome === "interrupted") return `Stopped ${name}: coordinator ${pid} has ended. ${goOn}`;
  return outcome === null
    ? `Stopped ${name}: coordinator ${pid} has died before it could end properly. ${goOn}`
    : `Coordinator ${pid} of ${name} had already ended: ${outcome}`;
}
