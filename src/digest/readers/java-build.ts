import {
  type LineReader,
  listFindings,
  listPlaces,
  type PlacedMessage,
  steadyText,
  type ToolReader,
} from "../reader.ts";

/** Java's compiler, also as printed by Maven. */
export const javac: ToolReader = { tool: "javac", kind: "findings", open: openJavac };

const plain = /^([^\s:[][^:]{0,500}\.java):(\d{1,9}): error: (\S.{0,2000})$/;
const ofMaven = /^\[ERROR\] ([^\s:[][^:]{0,500}\.java):\[(\d{1,9}),(\d{1,9})\] (\S.{0,2000})$/;
const symbol = /^(?:\[ERROR\])? {1,4}symbol: {1,4}(\S.{0,500})$/;
const counted = /^(?:\[INFO\] )?\d{1,9} errors? ?$/;

function openJavac(): LineReader {
  const places = listPlaces();
  /** An error whose missing symbol is printed some lines later. */
  let pending: PlacedMessage | null = null;
  const close = (name?: string): void => {
    if (pending === null) return;
    places.add(name === undefined ? pending : { ...pending, message: `${pending.message}: ${name}` });
    pending = null;
  };
  const add = (placed: PlacedMessage): void => {
    close();
    if (placed.message === "cannot find symbol") pending = placed;
    else places.add(placed);
  };
  return {
    read: (line) => {
      if (line.includes(".java:")) {
        if (line.startsWith("[ERROR] ")) {
          const [, file, at, column, said] = ofMaven.exec(line) ?? [];
          const message = said?.replace(/^error: /, "");
          if (file !== undefined && message !== undefined) add({ file, line: Number(at), column, message });
        } else if (line.includes(": error: ")) {
          const [, file, at, message] = plain.exec(line) ?? [];
          if (file !== undefined && message !== undefined) add({ file, line: Number(at), message });
        }
      } else if (pending !== null) {
        const [, name] = line.includes("symbol:") ? (symbol.exec(line) ?? []) : [];
        if (name !== undefined || counted.test(line)) close(name);
      }
    },
    end: () => (pending === null ? places.end() : places.end({ failed: places.size() + 1 })),
  };
}

export const kotlinc: ToolReader = { tool: "kotlinc", kind: "findings", open: openKotlinc };

/** Before version 1.8, the position is in brackets. */
const kotlinPlace =
  /^e: (?:file:\/\/)?(\/?[^\s:][^:]{0,500}\.kts?):(?: \((\d{1,9}), (\d{1,9})\):|(\d{1,9}):(\d{1,9}):?) (\S.{0,2000})$/;

function openKotlinc(): LineReader {
  const places = listPlaces();
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x65 || !line.startsWith("e: ")) return;
      const [, file, oldLine, oldColumn, newLine, newColumn, message] = kotlinPlace.exec(line) ?? [];
      if (file === undefined || message === undefined) return;
      places.add({ file, line: Number(oldLine ?? newLine), column: oldColumn ?? newColumn, message });
    },
    end: places.end,
  };
}

export const mavenBuild: ToolReader = { tool: "maven", kind: "wrapper", open: openMavenBuild };

const opening = "[ERROR] Failed to execute goal ";
const goal =
  /^([^\s:]{1,200}):([^\s:]{1,200}):[^\s:]{1,100}:([^\s:]{1,100}) (?:\(([^)]{1,200})\) )?on project ([^\s:]{1,200}): (.{0,2000})$/;

function openMavenBuild(): LineReader {
  const findings = listFindings();
  return {
    read: (line) => {
      if (line.charCodeAt(0) !== 0x5b || !line.startsWith(opening)) return;
      const [, , plugin, name, execution, project, message] = goal.exec(line.slice(opening.length)) ?? [];
      if (plugin === undefined) return;
      const id = `${plugin}:${name}${execution === undefined ? "" : ` (${execution})`} on ${project}`;
      findings.add({ id, file: null, line: null, message: message ?? null });
    },
    end: findings.end,
  };
}

export const gradleBuild: ToolReader = { tool: "gradle", kind: "wrapper", open: openGradleBuild };

const question = "* What went wrong:";
const problem = /^(?:Execution failed|A problem occurred|Could not|Cannot|Task|Project|Build file) /;
const task = /^Execution failed for task '([^']{1,500})'/;

function openGradleBuild(): LineReader {
  const findings = listFindings();
  let isAsked = false;
  let id: string | null = null;
  let reason: string | null = null;
  const close = (): void => {
    if (reason !== null) findings.add({ id: id ?? steadyText(reason), file: null, line: null, message: reason });
    id = null;
    reason = null;
  };
  return {
    read: (line) => {
      if (line.charCodeAt(0) === 0x2a) {
        if (line.startsWith("* ")) close();
        isAsked = line === question;
      } else if (isAsked && problem.test(line)) {
        isAsked = false;
        id = task.exec(line)?.[1] ?? null;
        reason = line;
      } else if (id !== null && line.startsWith("> ")) {
        reason = line.slice(2);
        close();
      }
    },
    end: () => {
      close();
      return findings.end();
    },
  };
}
