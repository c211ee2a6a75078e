import { randomUUID } from "node:crypto";

const named = {
  RUN: /^(?:bash|shell|exec_command|shell_command|run_shell_command|execute|terminal|run_terminal_cmd|run_in_terminal|local_shell)$/i,
  WRITE: /^(?:write|write_file|create|create_file|edit_file)$/i,
};

export function callTool(tools, { kind, value }, folder) {
  const tool = tools.find(({ name }) => named[kind].test(name ?? ""));
  if (tool !== undefined) {
    const { properties = {}, required = [] } = tool.schema ?? {};
    const wanted = kind === "RUN" ? argumentsToRun(value, properties) : argumentsToWrite(value, folder);
    const args = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in properties));
    for (const name of required) args[name] ??= sampleOf(properties[name] ?? {});
    return { id: callId(), name: tool.name, type: tool.type, args };
  }
  if (kind === "RUN") return null;
  const [path, text] = value.split("=");
  return callTool(tools, { kind: "RUN", value: `printf '%s\\n' '${text}' > ${path}` }, folder);
}

/** Agents may put a prefix in front of the tool's name. */
export function callServerTool(tools, wanted, args) {
  const tool = tools.find(({ name }) => new RegExp(`(?:^|[^a-z])${wanted}$`).test(name ?? ""));
  if (tool === undefined) return null;
  const { name, type, namespace } = tool;
  return { id: callId(), name, type, namespace, args };
}

const callId = () => `call_${randomUUID().slice(0, 8)}`;

function argumentsToRun(command, { command: property, timeout }) {
  const isList = /^array$/i.test(property?.type ?? "");
  const about = "Do what the task says";
  return {
    command: isList ? ["bash", "-lc", command] : command,
    cmd: command,
    description: about,
    summary: about,
    is_background: false,
    riskLevel: "low",
    riskLevelReason: "It does what the task says",
    timeout: /milli/i.test(timeout?.description ?? "") ? 60_000 : 60,
  };
}

function argumentsToWrite(value, folder) {
  const [file, content] = value.split("=");
  const path = `${folder}/${file}`;
  const text = `${content}\n`;
  return {
    ...{ path, file_path: path, filePath: path, absolute_path: path, filepath: path },
    ...{ content: text, contents: text, file_text: text, fileText: text },
  };
}

export function sampleOf({ enum: values, type = "string", properties = {} }) {
  if (values) return values.includes("user") ? "user" : values[0];
  switch (String(type).toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 1;
    default:
      return "scripted";
  }
}
