import { openaiFaults, overload } from "./openai-faults.mjs";
import { textsOf } from "./script.mjs";

export const openaiChat = {
  matches: (path) => /\/chat\/completions\/?$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsIn: ({ tools = [] }) => tools.map(({ function: { name, parameters } = {} }) => ({ name, schema: parameters })),
  schemaIn: ({ response_format }) => response_format?.json_schema?.schema,
  turnsIn: ({ messages = [] }) => messages.map(({ role, content }) => ({ role, text: textsOf(content).join("\n") })),
  faults: openaiFaults,
  headersOf: () => ({}),
  write({ text, tool, breaks }, { model = "scripted" }) {
    const usage = {
      ...{ prompt_tokens: 150, completion_tokens: 50, total_tokens: 200 },
      prompt_tokens_details: { cached_tokens: 30 },
    };
    const call = tool && { name: tool.name, arguments: JSON.stringify(tool.args) };
    const tool_calls = tool ? [{ index: 0, id: tool.id, type: "function", function: call }] : undefined;
    const finish_reason = tool ? "tool_calls" : "stop";
    const head = { id: "chatcmpl-scripted", created: Math.floor(Date.now() / 1000), model };
    const message = { role: "assistant", content: text, tool_calls };
    const whole = { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage };
    const events = [];
    const put = (choices, more = {}) =>
      events.push({ data: { ...head, object: "chat.completion.chunk", choices, ...more } });
    put([{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }]);
    if (breaks === "error") {
      events.push({ data: { error: { message: overload, type: "server_error", code: 503 } } });
      return { whole, events };
    }
    if (tool) put([{ index: 0, delta: { tool_calls }, finish_reason: null }]);
    put([{ index: 0, delta: {}, finish_reason }]);
    put([], { usage });
    events.push({ data: "[DONE]" });
    return { whole, events };
  },
};
