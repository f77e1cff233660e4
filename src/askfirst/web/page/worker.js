// The hub as a SharedWorker: it lives as long as any tab of this page does.

import { Hub } from "/hub.js";

const hub = new Hub();
self.addEventListener("connect", (event) => hub.attach(event.ports[0]));
