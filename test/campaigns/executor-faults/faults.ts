import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ground, type GroundTask, newGround, saidIn, verifyOf, writeProgram } from "../outside/ground.ts";
import type { Violation } from "../outside/judge.ts";
import type { Start, StartOptions } from "../outside/start.ts";

/** Below any number, from 0. */
type Below = (limit: number) => number;

/** A fault of the machine on the side of the programs that a run starts. */
export interface MachineFault {
  readonly name: string;
  /** One of it is tried in CI. */
  readonly isShort: boolean;
  /** Why it cannot be had here; null when it can. */
  readonly hindrance: () => string | null;
  readonly begin: (below: Below) => Begun;
}

/** A ground with the fault in it. */
export interface Begun {
  /** With what chance has decided: `ENOSPC with 7 KiB left`. */
  readonly name: string;
  readonly ground: Ground;
  /** Starts that meet the fault; later ones do not. */
  readonly faulty: number;
  readonly optionsOf: (start: number) => StartOptions;
  /** Called before the first start without the fault. */
  readonly mend: () => void;
  /** The fault is known before any executor works: it is to be said then. */
  readonly isKnownBefore?: boolean;
  /** What comes of it is the work's own failure, not the machine's: attempts are spent. */
  readonly isWorks?: boolean;
  /** What else has to hold at the end. */
  readonly check?: (starts: readonly Start[]) => Violation[];
}

const asRoot = (): string | null => (process.getuid?.() === 0 ? null : "it needs root");
const always = (): null => null;
const tasks: readonly GroundTask[] = ["1.1", "1.2", "1.3"].map((id) => ({ id, fates: [] }));
const plain = (): StartOptions => ({});
const nothing = (): void => {};

/** A small disk for the workspace, with little space left on it. */
const fullDisk: MachineFault = {
  name: "ENOSPC",
  isShort: true,
  hindrance: () => asRoot() ?? (spawnSync("mount", ["--version"]).status === 0 ? null : "`mount` is not there"),
  begin: (below) => {
    const size = 256;
    const ground = newGround(tasks, { at: (folder) => mountIn(folder, size) });
    const left = below(72);
    const disk = join(ground.folder, "disk");
    const fill = join(disk, "fill");
    const has = Number(execFileSync("df", ["--output=avail", "-k", disk], { encoding: "utf8" }).split("\n")[1]);
    writeFileSync(fill, Buffer.alloc(Math.max(0, has - left) * 1024));
    return {
      ...{ name: `ENOSPC with ${left} KiB left`, ground, faulty: 1, optionsOf: plain },
      mend: () => rmSync(fill),
    };
  },
};

function mountIn(folder: string, sizeKiB: number): string {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeKiB}k`, "tmpfs", disk]);
  return join(disk, "workspace");
}

/** No file may get longer than so much: EFBIG, for all that a run writes and its programs print. */
const longFiles: MachineFault = {
  name: "EFBIG",
  isShort: true,
  hindrance: always,
  begin: (below) => {
    // In blocks of 512 bytes.
    const blocks = 1 + below(24);
    const limited = ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"];
    return {
      ...{ name: `EFBIG at ${blocks * 512} bytes`, ground: newGround(tasks), faulty: 1, mend: nothing },
      optionsOf: (start) => (start === 0 ? { within: limited } : {}),
    };
  },
};

/** So few descriptors that the program or what it starts runs out of them. */
const fewDescriptors: MachineFault = {
  name: "EMFILE",
  isShort: false,
  hindrance: always,
  begin: (below) => {
    const most = 18 + below(30);
    const limited = ["sh", "-c", `ulimit -n ${most}; exec "$@"`, "sh"];
    return {
      ...{ name: `EMFILE at ${most} descriptors`, ground: newGround(tasks), faulty: 1, mend: nothing },
      optionsOf: (start) => (start === 0 ? { within: limited } : {}),
    };
  },
};

/** What the executor writes is refused from a call on. */
const refusedWrites = (errno: "EIO" | "ENOSPC" | "EDQUOT"): MachineFault => ({
  name: `${errno} for what is printed`,
  isShort: errno === "EIO",
  hindrance: () =>
    spawnSync("strace", ["-f", "-qq", "-e", "trace=none", "true"]).status === 0 ? null : "strace cannot be used here",
  begin: (below) => {
    const ground = newGround(tasks);
    const program = join(ground.workspace, "executor.sh");
    const good = join(ground.workspace, "works.sh");
    const works = execFileSync("cat", [program], { encoding: "utf8" });
    writeProgram(good, works.replace(/^echo "\$said"$/m, 'echo one; echo two; echo three; echo "$said"'));
    const from = 1 + below(4);
    // It prints four times. Its standard output alone: the file that it was handed.
    writeProgram(
      program,
      `#!/bin/sh\nout=$(readlink /proc/$$/fd/1)\nexec strace -f -qq -o /dev/null -P "$out" -e inject=write:error=${errno}:when=${from}+ ${good}\n`,
    );
    return {
      ...{ name: `${errno} from print ${from} on`, ground, faulty: 1, optionsOf: plain },
      mend: () => writeProgram(program, `#!/bin/sh\nexec ${good}\n`),
      isWorks: true,
    };
  },
});

/** Programs without the interpreter that their first line names. */
const noInterpreter: MachineFault = {
  name: "no interpreter",
  isShort: true,
  hindrance: always,
  begin: (below) => {
    const ground = newGround(tasks);
    const isExecutors = below(2) === 0;
    const program = join(ground.workspace, isExecutors ? "executor.sh" : "check.sh");
    const good = execFileSync("cat", [program], { encoding: "utf8" });
    writeProgram(program, "#!/no/such/interpreter\n");
    return {
      ...{ name: `no interpreter of ${isExecutors ? "the executor" : "Verify"}`, ground, faulty: 1, optionsOf: plain },
      mend: () => writeProgram(program, good),
    };
  },
};

/** A machine without `sh`, or a `PATH` on which none is. */
const noShell: MachineFault = {
  name: "no sh",
  isShort: true,
  hindrance: always,
  begin: () => {
    const ground = newGround(tasks);
    const bin = join(ground.folder, "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    return {
      ...{ name: "no sh on the PATH", ground, faulty: 1, mend: nothing, isKnownBefore: true },
      optionsOf: (start) => (start === 0 ? { env: { PATH: bin } } : {}),
    };
  },
};

/** A Verify that is longer than an argument may be. */
const longVerify: MachineFault = {
  name: "E2BIG",
  isShort: true,
  hindrance: always,
  begin: (below) => {
    const ground = newGround(tasks);
    const bytes = 140_000 + below(200_000);
    const plan = join(ground.spec, "tasks.md");
    const good = execFileSync("cat", [plan], { encoding: "utf8" });
    const last = verifyOf("1.3");
    writeFileSync(plan, good.replace(last, `${last} ${"x".repeat(bytes)}`));
    return {
      ...{ name: `a Verify of ${bytes} bytes`, ground, faulty: 1, optionsOf: plain, isKnownBefore: true },
      mend: () => {
        const now = execFileSync("cat", [plan], { encoding: "utf8" });
        writeFileSync(plan, now.replace(/ x{1000,}/, ""));
      },
    };
  },
};

/** Executors and shells that a signal ends: none of them has said that anything is done. */
const killedShells: MachineFault = {
  name: "killed shells",
  isShort: true,
  hindrance: always,
  begin: (below) => {
    const signal = ["KILL", "SEGV", "TERM", "HUP", "PIPE", "ABRT"][below(6)] as string;
    const ground = newGround(tasks);
    const { workspace, log } = ground;
    const isVerifys = below(2) === 0;
    const program = join(workspace, isVerifys ? "check.sh" : "executor.sh");
    const good = execFileSync("cat", [program], { encoding: "utf8" });
    // What verifies nothing is killed, with the shell that has started it: no exit code, and no pass.
    const ends = isVerifys
      ? `echo "verify $1 - $PPID" >> ${log}\nkill -${signal} $PPID\nkill -${signal} $$\n`
      : good.replace("#!/bin/sh\n", "").replace(/^echo "end .*$/m, `rm -f ${workspace}/made/$id; kill -${signal} $$`);
    writeProgram(program, `#!/bin/sh\n${ends}`);
    if (isVerifys) {
      // Nobody makes anything until it is mended.
      writeProgram(
        join(workspace, "executor.sh"),
        `#!/bin/sh\necho "start $FIXPOINT_TASK_ID $FIXPOINT_KEY $PPID" >> ${log}\necho TASK_COMPLETE\n`,
      );
    }
    return {
      ...{
        name: `SIG${signal} for ${isVerifys ? "the shell of Verify" : "the executor"}`,
        ground,
        faulty: 1,
        optionsOf: plain,
      },
      ...{ mend: nothing, isWorks: true },
      check: (starts) =>
        starts[0]?.exitCode === 0
          ? [{ kind: "false completion", what: "the start whose programs were killed ended with 0" }]
          : [],
    };
  },
};

export const machineFaults: readonly MachineFault[] = [
  ...[fullDisk, longFiles, fewDescriptors, refusedWrites("EIO"), refusedWrites("ENOSPC"), refusedWrites("EDQUOT")],
  ...[noInterpreter, noShell, longVerify, killedShells],
];

/** How often executors were begun until so many lines of the log. */
export const begunUntil = (ground: Ground, line: number): number =>
  saidIn(ground)
    .slice(0, line)
    .filter(({ kind }) => kind === "start").length;
