import { createHash } from "node:crypto";

/** Origin of Stately's viewer, which the browser loads from the internet. */
const origin = "https://stately.ai";

/**
 * Script of the page: once the viewer has announced itself, forward every message of the run to the viewer, beginning
 * with the kept ones. Protocol: `createBrowserInspector` in `@statelyai/inspect` 0.7.2.
 */
const script = `
let socket;
addEventListener("message", ({ source, origin, data }) => {
  const viewer = document.querySelector("iframe").contentWindow;
  if (source !== viewer || origin !== "${origin}" || data?.type !== "@statelyai.connected") return;
  socket?.close();
  socket = new WebSocket(location.href.replace("http", "ws"));
  socket.onmessage = ({ data }) => viewer.postMessage(JSON.parse(data), origin);
});
`;
const style = "html, body, iframe { border: 0; height: 100%; margin: 0; width: 100% } body { overflow: hidden }";
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Build the page with Stately's viewer, and a content security policy. @param host Host and port of the WebSocket. */
export const viewerPage = (host: string): { readonly text: string; readonly policy: string } => ({
  text: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>fixpoint: inspector</title>',
    `<link rel="icon" href="data:,"><style>${style}</style></head><body><script>${script}</script>`,
    `<iframe src="${origin}/inspect" title="Stately's inspector"></iframe></body></html>\n`,
  ].join(""),
  policy: [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    `connect-src ws://${host}`,
    `frame-src ${origin}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
});
