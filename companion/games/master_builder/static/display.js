// Master Builder's part of the big screen.

import "./reveal.js";
