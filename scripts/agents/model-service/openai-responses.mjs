// OpenAI Responses.
import { openaiFaults } from "./openai-faults.mjs";
import { textsOf } from "./script.mjs";

const overloaded = {
  code: "server_is_overloaded",
  message: "Our servers are currently overloaded. Please try again later.",
};

export const openaiResponses = {
  matches: (path) => /\/responses\/?$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsIn: ({ tools = [] }) =>
    tools.flatMap(({ name, type, parameters, tools: inside = [] }) =>
      type === "namespace"
        ? inside.map((tool) => ({ name: tool.name, type: tool.type, schema: tool.parameters, namespace: name }))
        : { name: name ?? type, type, schema: parameters },
    ),
  schemaIn: ({ text }) => text?.format?.schema,
  turnsIn: ({ input = [] }) =>
    (typeof input === "string" ? [{ role: "user", content: input }] : input).map((item) =>
      /_output$/.test(item.type ?? "")
        ? { role: "tool", text: typeof item.output === "string" ? item.output : JSON.stringify(item.output) }
        : { role: item.role ?? "none", text: textsOf(item.content).join("\n") },
    ),
  faults: openaiFaults,
  headersOf: () => ({}),
  write({ text, tool, breaks }, { model = "scripted" }) {
    const created_at = Math.floor(Date.now() / 1000);
    const usage = {
      ...{ input_tokens: 150, output_tokens: 50, total_tokens: 200 },
      input_tokens_details: { cached_tokens: 30 },
      output_tokens_details: { reasoning_tokens: 10 },
    };
    const part = { type: "output_text", text, annotations: [] };
    const said = { type: "message", id: "msg_scripted", role: "assistant", status: "completed", content: [part] };
    const output = tool ? [said, callItem(tool)] : [said];
    const head = { id: `resp_${created_at}`, object: "response", created_at, model, error: null };
    const rest = { incomplete_details: null, parallel_tool_calls: false, tools: [] };
    const whole = { ...head, ...rest, tool_choice: "auto", status: "completed", output, usage };
    const events = [];
    const put = (type, more) => events.push({ name: type, data: { type, sequence_number: events.length, ...more } });
    put("response.created", { response: { ...whole, status: "in_progress", output: [], usage: null } });
    for (const [output_index, item] of output.entries()) {
      const at = { item_id: item.id, output_index };
      const begun =
        item === said ? { status: "in_progress", content: [] } : "arguments" in item ? { arguments: "" } : {};
      put("response.output_item.added", { output_index, item: { ...item, ...begun } });
      if (item === said) {
        put("response.content_part.added", { ...at, content_index: 0, part: { ...part, text: "" } });
        put("response.output_text.delta", { ...at, content_index: 0, delta: text });
        if (breaks === "error") {
          put("response.failed", { response: { ...whole, status: "failed", error: overloaded } });
          return { whole, events };
        }
        put("response.output_text.done", { ...at, content_index: 0, text });
        put("response.content_part.done", { ...at, content_index: 0, part });
      } else if ("arguments" in item) {
        put("response.function_call_arguments.delta", { ...at, delta: item.arguments });
        put("response.function_call_arguments.done", { ...at, arguments: item.arguments });
      }
      put("response.output_item.done", { output_index, item });
    }
    put("response.completed", { response: whole });
    return { whole, events };
  },
};

const callItem = ({ id: call_id, name, namespace, args, type }) =>
  type === "custom"
    ? { type: "custom_tool_call", id: "ctc_scripted", call_id, name, input: Object.values(args)[0] }
    : {
        ...{ type: "function_call", id: "fc_scripted", status: "completed", call_id, name },
        ...{ namespace, arguments: JSON.stringify(args) },
      };
