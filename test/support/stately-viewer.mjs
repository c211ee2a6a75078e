// Stands in for the viewer of stately.ai: receives events by Stately's own package, and shows their types.
import { createBrowserReceiver } from "@statelyai/inspect";

createBrowserReceiver().subscribe(({ type }) => document.body.append(`${type} `));
