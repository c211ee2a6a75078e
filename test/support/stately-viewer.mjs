// A stand-in for the viewer of stately.ai: receives by Stately's own package, and shows the types of the events.
import { createBrowserReceiver } from "@statelyai/inspect";

createBrowserReceiver().subscribe(({ type }) => document.body.append(`${type} `));
