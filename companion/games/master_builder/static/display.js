// Master Builder's part of the big screen.

import "./going.js";
import "./reveal.js";
import "./tokens.js";
