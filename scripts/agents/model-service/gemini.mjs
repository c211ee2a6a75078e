const error = (code, status, message, details = []) => ({
  status: code,
  body: { error: { code, message, status, details } },
});
const retry = (seconds) => [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }];
const badKey = [
  { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", domain: "googleapis.com" },
];
const quota = "You exceeded your current quota, please check your plan and billing details. Please retry in 2.5s.";
const daily = "Quota exceeded for quota metric 'Generate Content API requests per day'";
const tooLong = "The input token count (1210000) exceeds the maximum number of tokens allowed (1048576).";
const overload = "The model is overloaded. Please try again later.";

export const gemini = {
  matches: (path) => /:(?:stream)?generateContent$/i.test(path),
  isStreamed: ({ path }) => /:stream/i.test(path),
  toolsIn: ({ tools = [] }) =>
    tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters })),
  schemaIn: ({ generationConfig }) => generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema,
  turnsIn: ({ contents = [] }) =>
    contents.flatMap(({ role, parts = [] }) =>
      parts.map(({ functionResponse, text = "" }) =>
        functionResponse
          ? { role: "tool", text: JSON.stringify(functionResponse.response) }
          : { role: role === "model" ? "assistant" : "user", text },
      ),
    ),
  faults: {
    "rate-limit": error(429, "RESOURCE_EXHAUSTED", quota, retry(2)),
    "usage-limit": error(429, "RESOURCE_EXHAUSTED", daily, retry(7200)),
    unauthorized: error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", badKey),
    forbidden: error(403, "PERMISSION_DENIED", "The caller does not have permission"),
    billing: error(403, "PERMISSION_DENIED", "Billing is disabled for this project"),
    context: error(400, "INVALID_ARGUMENT", tooLong),
    "server-error": error(500, "INTERNAL", "An internal error has occurred."),
    unavailable: error(503, "UNAVAILABLE", "The service is currently unavailable."),
    overloaded: error(503, "UNAVAILABLE", overload),
  },
  headersOf: () => ({}),
  write({ text, tool, breaks }) {
    const usageMetadata = {
      ...{ promptTokenCount: 150, candidatesTokenCount: 50, totalTokenCount: 210 },
      ...{ cachedContentTokenCount: 30, thoughtsTokenCount: 10 },
    };
    const chunk = (parts, finishReason) => ({
      candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
      ...{ usageMetadata, modelVersion: "scripted", responseId: "r" },
    });
    const call = tool && { functionCall: { name: tool.name, args: tool.args } };
    const whole = chunk([{ text }, ...(tool ? [call] : [])], "STOP");
    const last =
      breaks === "error"
        ? { error: { code: 503, message: overload, status: "UNAVAILABLE" } }
        : chunk([tool ? call : { text: "" }], "STOP");
    return { whole, events: [{ data: chunk([{ text }]) }, { data: last }] };
  },
};
