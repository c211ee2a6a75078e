// A scripted model service on the loopback, which needs no key. Supports Anthropic Messages, OpenAI Responses and Chat
// Completions, and Gemini.
import { createServer } from "node:http";
import { anthropic } from "./anthropic.mjs";
import { gemini } from "./gemini.mjs";
import { openaiChat } from "./openai-chat.mjs";
import { openaiResponses } from "./openai-responses.mjs";
import { followScript } from "./script.mjs";

const apis = [anthropic, openaiResponses, openaiChat, gemini];
const halfSentence = "I begin to think about th";

const faults = [...Object.keys(anthropic.faults), "error-in-answer", "cut"];

/** `PUT /_fault/<name>` makes every later model call fail, until `DELETE /_fault`. */
export async function openModelService({ folder, speak = followScript, port = 0 }) {
  const failed = new Set();
  const calls = [];
  let fault = null;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  async function answer(request, response) {
    const path = new URL(request.url, "http://service").pathname;
    if (path.startsWith("/_fault")) return control(request.method, path.split("/")[2], response);
    const body = await readJson(request);
    const api = apis.find(({ matches }) => matches(path));
    calls.push({ method: request.method, path, fault: api && fault });
    if (api === undefined) return answerOther(path, response);
    const broken = { cut: "cut", "error-in-answer": "error" }[fault];
    if (fault !== null && broken === undefined) return refuse(api, fault, response);
    const turns = { turns: api.turnsIn(body), tools: api.toolsIn(body), schema: api.schemaIn(body) };
    const said = broken ? { text: halfSentence, breaks: broken } : speak({ ...turns, failed, folder });
    send(api.write(said, body), api.isStreamed({ path, body }), said.breaks === "cut", response);
  }

  function control(method, name, response) {
    if (method === "PUT" && !faults.includes(name)) return sendJson(response, 404, { faults });
    fault = method === "PUT" ? name : null;
    sendJson(response, 200, { fault });
  }
}

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return {};
  }
}

function answerOther(path, response) {
  if (/count_tokens$|:countTokens$/.test(path)) return sendJson(response, 200, { input_tokens: 100, totalTokens: 100 });
  const model = { id: "scripted", object: "model", created: 1, owned_by: "nobody" };
  if (/\/models\/?$/.test(path)) return sendJson(response, 200, { object: "list", data: [model] });
  sendJson(response, 404, { error: { message: `Not found: ${path}`, type: "not_found_error" } });
}

function refuse(api, fault, response) {
  const seconds = fault === "usage-limit" ? 7200 : 2;
  const { status, body } = api.faults[fault];
  const isPassing = status === 429 || status === 503 || status === 529;
  const headers = { ...api.headersOf(fault, seconds), ...(isPassing && { "retry-after": String(seconds) }) };
  sendJson(response, status, body, { "request-id": "req_scripted", ...headers });
}

function sendJson(response, status, value, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function send({ whole, events }, isStreamed, isCut, response) {
  if (isCut && !isStreamed) return response.destroy();
  if (!isStreamed) return sendJson(response, 200, whole);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { name, data } of isCut ? events.slice(0, Math.min(3, events.length - 1)) : events) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`);
  }
  // Wait until the written bytes are sent.
  if (isCut) setTimeout(() => response.destroy(), 50);
  else response.end();
}
