// Imitates the viewer of stately.ai with Stately's own package, and shows the types of events.
import { createBrowserReceiver } from "@statelyai/inspect";

createBrowserReceiver().subscribe(({ type }) => document.body.append(`${type} `));
