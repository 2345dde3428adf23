// The big screen only follows; a hand scanner at it is heard all the same.

import "./page.js";
import "./scan.js";
