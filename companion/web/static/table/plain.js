// What pages of the plain face do besides what all pages do.

import "./dice.js";
import "./switches.js";
import "./flights.js";
import "./fit.js";
import "./hold.js";
import "./pays.js";
import "./going.js";
import "./outlook.js";
