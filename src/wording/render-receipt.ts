import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { Receipt } from "../model/person-event.ts";

export interface SentMessage {
  readonly name: string;
  readonly pid: number;
  readonly word: string;
  readonly receipt: Receipt;
}

export function renderReceipt({ name, pid, word, receipt }: SentMessage, address: SpecAddress): string {
  const goOn = `Continue: ${commandLine(address, "resume")}`;
  const again = `Continue: ${commandLine(address, "run")}`;
  switch (receipt.kind) {
    case "recorded":
      if (word === "resume") return `Resumed: coordinator ${pid} continues ${name}`;
      if (word !== "pause") return `Received: coordinator ${pid} has recorded \`${word}\` for ${name}`;
      if (receipt.atWork.length === 0) return `Paused ${name}: coordinator ${pid} starts no more tasks. ${goOn}`;
      return `Pausing ${name}: coordinator ${pid} will pause, and finishes ${receipt.atWork.join(", ")} first. ${goOn}`;
    case "waiting":
      return (
        {
          pause: `Pausing ${name}: coordinator ${pid} has not read the message yet. After reading it, the coordinator starts no more tasks. ${goOn}`,
          resume: `Resuming ${name}: coordinator ${pid} has not read the message yet. The run continues as soon as the coordinator has read it.`,
        }[word] ?? `Sent: coordinator ${pid} of ${name} has not read the message yet`
      );
    case "killed":
      if (word === "resume") return `Coordinator ${pid} has already ended. ${again}`;
      if (word !== "pause")
        return `Sent: coordinator ${pid} was killed, and the next start reads the message. ${again}`;
      break;
    case "ended":
      if (word === "resume") return `Coordinator ${pid} has already ended. ${again}`;
      break;
    case "late":
      return `Not used: the question was already answered. See the state of the run: ${commandLine(address, "status")}`;
  }
  const not = word === "pause" ? "Not paused" : "Not received";
  return `${not}: coordinator ${pid} ended before it read the message. See how the run ended: ${commandLine(address, "status")}`;
}
