import { type DigestOptions, type OutputReading, openOutput } from "../digest/digest-output.ts";
import { nameLines } from "../digest/unknown-tool.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import type { OutputDigest } from "../model/failure-set.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { CommandConsent, CommandRequest } from "../ports/ports.ts";
import type { CommandResult } from "../ports/shell.ts";
import type { WholePorts } from "./with-memory.ts";

/** Maximum number of characters recorded per stream. */
const keptOutput = 4096;

/**
 * Run a check command. If possible, the shell stores the whole output under `name`. The result of a passed check has no
 * output.
 *
 * @param name Name of the output within the run.
 */
export async function runCheck(
  { shell, attempts, workspace = "", trees }: Pick<WholePorts, "shell" | "attempts" | "workspace" | "trees">,
  { command, name, timeoutMs }: { readonly command: string; readonly name: string; readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<VerifyRun> {
  const ended = await shell.run(command, { timeoutMs, keepAs: name }, signal);
  signal.throwIfAborted();
  const { exitCode, timedOut } = ended;
  const result = timedOut ? { ...ended, limitMs: timeoutMs } : ended;
  const passed = exitCode === 0 && !timedOut;
  const before = attempts.lastCheck(command);
  const tree = await trees?.now(signal);
  const output = outputOf(shell, name, result);
  const known = { folder: workspace || null };
  const { digest, counts: told } = await read(known, output);
  const failed = passed && digest.source === "tools" ? (digest.failed ?? 0) : 0;
  const counts = { ...told, ...(failed > 0 && { failed }) };
  const left = { ...(tree !== undefined && { tree }), ...(counts.ran !== null && { counts }) };
  if (passed) return { command, name, result: { ...result, stdout: "", stderr: "" }, digest: null, ...left };
  const [stdout, stderr] = [result.stdout.slice(-keptOutput), result.stderr.slice(-keptOutput)];
  const compared = await compare(shell, { ...known, digest }, output, before);
  return { command, name, result: { ...result, stdout, stderr }, digest: compared, ...left };
}

type Shell = WholePorts["shell"];
type Output = (see: (piece: string) => void) => Promise<void>;

/** Pass the whole output if the shell stored it, else the part in the result. */
const outputOf =
  (shell: Shell, name: string, { stdout, stderr }: CommandResult): Output =>
  async (see) => {
    if ((await shell.readKept?.(name, see)) === true) return;
    // The command has ended, so the last line is complete.
    for (const text of [stdout, stderr]) see(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  };

/** Compare an output, unless a known tool wrote it, with the previous output of the same command. */
async function compare(
  shell: Shell,
  { digest, ...known }: DigestOptions & { readonly digest: OutputDigest },
  output: Output,
  before: { readonly name: string; readonly passed: boolean } | null,
): Promise<OutputDigest> {
  if ((digest.source !== "last-line" && digest.source !== "count") || before === null) return digest;
  const lines = nameLines();
  if ((await shell.readKept?.(before.name, lines.write)) !== true) return digest;
  return (await read({ ...known, before: { passed: before.passed, lines: lines.end() } }, output)).digest;
}

async function read(options: DigestOptions, output: Output): Promise<OutputReading> {
  const reading = openOutput(options);
  await output(reading.write);
  return reading.end();
}

const withoutOwner: CommandConsent = { given: false, hint: "no one can be asked here" };

/**
 * Whether the owner has agreed to commands. If no one can be asked, only commands of the initial plan are allowed,
 * since later commands may come from an executor.
 */
export async function mayRun({ plan, consent, check }: WholePorts, request: CommandRequest): Promise<CommandConsent> {
  if (consent !== undefined) return consent(request);
  if (request.purpose !== "verify") return request.commands.length === 0 ? { given: true } : withoutOwner;
  const { tasks } = (await plan.begun()).plan;
  const agreed = new Set(check == null ? [] : [check.command]);
  for (const { fields } of tasks) {
    const verify = readVerify(fields.verify);
    if (verify.kind === "command") agreed.add(verify.command);
  }
  return request.commands.every((command) => agreed.has(command)) ? { given: true } : withoutOwner;
}
