// What Master Builder adds to the tablet and to players' devices.

import "./plan.js";
import "./reveal.js";
