// Master Builder's part of the big screen.

import "/static/table/going.js";
import "./reveal.js";
import "./tokens.js";
