import { textsOf } from "./script.mjs";

const error = (status, type, message) => ({ status, body: { type: "error", error: { type, message } } });
const tooMany = "This request would exceed your organization's rate limit of 50 requests per minute.";
const noCredit =
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.";

const isLoading = ({ content }) => Array.isArray(content) && content.some(({ type }) => type === "tool_reference");

export const anthropic = {
  matches: (path) => /\/messages\/?$/.test(path),
  isStreamed: ({ body }) => body.stream === true,
  toolsIn: ({ tools = [] }) => tools.map(({ name, input_schema }) => ({ name, schema: input_schema })),
  schemaIn: () => undefined,
  turnsIn: ({ messages = [] }) =>
    messages.flatMap(({ role, content }) => {
      if (typeof content === "string") return [{ role, text: content }];
      const results = content.filter((block) => block.type === "tool_result" && !isLoading(block));
      const texts = textsOf(content.filter(({ type }) => type === "text"));
      return [
        ...results.map((result) => ({ role: "tool", text: textsOf(result.content).join("\n") })),
        { role, text: texts.join("\n") },
      ];
    }),
  faults: {
    "rate-limit": error(429, "rate_limit_error", tooMany),
    "usage-limit": error(429, "rate_limit_error", "You have hit your usage limit. Your limit resets later today."),
    unauthorized: error(401, "authentication_error", "invalid x-api-key"),
    forbidden: error(403, "permission_error", "Your API key does not have permission to use the specified resource."),
    billing: error(400, "invalid_request_error", noCredit),
    context: error(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "server-error": error(500, "api_error", "Internal server error"),
    unavailable: error(503, "api_error", "Service unavailable"),
    overloaded: error(529, "overloaded_error", "Overloaded"),
  },
  headersOf: (fault, seconds) =>
    fault === "rate-limit" || fault === "usage-limit"
      ? {
          "anthropic-ratelimit-unified-status": "rejected",
          "anthropic-ratelimit-unified-reset": String(Math.floor(Date.now() / 1000) + seconds),
          "anthropic-ratelimit-requests-remaining": "0",
        }
      : {},
  write({ text, tool, breaks }, { model = "scripted" }) {
    const used = { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 30 };
    const content = [{ type: "text", text }];
    if (tool) content.push({ type: "tool_use", id: `toolu_${tool.id}`, name: tool.name, input: tool.args });
    const stop_reason = tool ? "tool_use" : "end_turn";
    const whole = {
      ...{ id: "msg_scripted", type: "message", role: "assistant", model, content, stop_reason, stop_sequence: null },
      usage: { ...used, output_tokens: 50 },
    };
    const events = [];
    const put = (type, rest = {}) => events.push({ name: type, data: { type, ...rest } });
    put("message_start", {
      message: { ...whole, content: [], stop_reason: null, usage: { ...used, output_tokens: 1 } },
    });
    for (const [index, block] of content.entries()) {
      const isText = block.type === "text";
      const delta = isText
        ? { type: "text_delta", text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      put("content_block_start", {
        index,
        content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
      });
      put("content_block_delta", { index, delta });
      if (breaks === "error") {
        put("error", { error: { type: "overloaded_error", message: "Overloaded" } });
        return { whole, events };
      }
      put("content_block_stop", { index });
    }
    put("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 50 } });
    put("message_stop");
    return { whole, events };
  },
};
