// The big screen only follows; a hand scanner at it is heard all the same, and it sounds where somebody chose so.

import "../core/page.js";
import "../camera/scan.js";
import "./ears.js";
