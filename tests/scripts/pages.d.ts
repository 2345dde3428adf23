// What pages know of the elements that they find: by a selector of our own, nothing says which kind it is.

interface Found extends HTMLElement {
  [member: string]: any;
}

interface ParentNode {
  querySelector(selectors: string): Found | null;
  querySelectorAll(selectors: string): NodeListOf<Found>;
}

interface Element {
  closest(selectors: string): Found | null;
}

interface Document {
  getElementById(id: string): Found | null;
}

interface EventTarget {
  [member: string]: any;
}

interface Event {
  detail?: any;
  submitter?: any;
}

interface Node {
  [member: string]: any;
}
