// The big screen only follows.

import "./page.js";
