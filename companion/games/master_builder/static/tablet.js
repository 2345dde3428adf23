// What Master Builder adds to the tablet and to players' devices.

import "./plan.js";

setTimeout(() => import("./reveal.js"), 700); // no plan opens before that
