const error = (status, type, message, code = null, more = {}) => ({
  status,
  body: { error: { message, type, param: null, code, ...more } },
});
const badKey =
  "Incorrect API key provided: sk-scripted. You can find your API key at https://platform.openai.com/account/api-keys.";
const tooMany =
  "Rate limit reached for scripted in organization org-scripted on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 2s.";
const tooLong =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 210000 tokens.";
const noQuota = "You exceeded your current quota, please check your plan and billing details.";
const wentWrong = "The server had an error while processing your request. Sorry about that!";

export const overload = "The engine is currently overloaded, please try again later";
export const openaiFaults = {
  "rate-limit": error(429, "requests", tooMany, "rate_limit_exceeded"),
  get "usage-limit"() {
    const seconds = 7200;
    const resets_at = Math.floor(Date.now() / 1000) + seconds;
    const more = { plan_type: "plus", resets_at, resets_in_seconds: seconds };
    return error(429, "usage_limit_reached", "The usage limit has been reached", "usage_limit_reached", more);
  },
  unauthorized: error(401, "invalid_request_error", badKey, "invalid_api_key"),
  forbidden: error(403, "permission_error", "You do not have access to this model.", "forbidden"),
  billing: error(429, "insufficient_quota", noQuota, "insufficient_quota"),
  context: error(400, "invalid_request_error", tooLong, "context_length_exceeded"),
  "server-error": error(500, "server_error", wentWrong),
  unavailable: error(503, "server_error", "Service unavailable"),
  overloaded: error(503, "server_error", overload),
};
