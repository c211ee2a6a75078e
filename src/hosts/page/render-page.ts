/**
 * The page on which a run is watched: one HTML document that asks for nothing but its own data.
 *
 * `export`: the data stands in the document, in `<script id="recording" type="application/octet-stream">` a `Recording` of
 * `src/model/frame.ts`, in `<script id="stories" …>` its `TaskStories`, each as JSON, compressed with gzip, in base64. Nothing is fetched: `connect-src 'none'`.
 *
 * `live`: the document holds no data and no secret, so it may be served to anybody. The token is in the fragment of its
 * address (`#token=<token>`), which the page reads and removes at once; every request then has
 * `Authorization: Bearer <token>`:
 *
 * - `GET frames` answers a `Recording` as JSON.
 * - `GET story?task=<id>` answers the `TaskStory` of a task as JSON.
 * - `GET stream` answers server-sent events, read with `fetch`, each with `event:` and one line of `data:` in JSON:
 *   `frames` (`MoreFrames`), `standing` (`Standing`), `tail` (`{ task, attempt, text }`, all that is kept of what the
 *   executor has printed so far), `end` (`{}`, nothing more will come). When the stream breaks, the page asks for `frames`
 *   again and opens it anew.
 * - `POST say` with a `PageWord` as JSON answers `{ answer }`, the sentence that is shown.
 *
 * `connect-src 'self'`.
 */
export {};
