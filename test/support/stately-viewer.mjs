// What stands for the viewer of stately.ai: receives by Stately's own package, and shows the types of what it got.
import { createBrowserReceiver } from "@statelyai/inspect";

createBrowserReceiver().subscribe(({ type }) => document.body.append(`${type} `));
