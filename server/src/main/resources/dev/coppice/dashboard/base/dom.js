/**
 * Views as data. A view is written as markup in a template, and `render` changes an element's
 * children to match views, reusing elements: so focus, selection and scroll positions survive. Only
 * the template is read as markup, and it stands in our sources. A value in it is a view, a list of
 * views, or text, also if it looks like markup or like a view.
 */

import htm from "../vendor/htm.js";
import { plain } from "./plain.js";

const SVG = "http://www.w3.org/2000/svg";
const VIEW = Symbol("view");

/**
 * Makes the views of a template: one, or a list. Attributes: those of the element, `on…` listeners,
 * `style` (an object), `key` (the identity among its siblings), `mount(element)` (called once; may
 * return what ends it; an element that is mounted needs a key of its own, as it belongs to whoever
 * mounted it), and `update(element)` (called after every rendering). A view that is rendered again
 * where it was before, the same object, costs nothing; markup without values is such a view.
 */
export const html = htm.bind(
  (tag, properties, ...children) => new View(tag, properties ?? {}, flat(children)),
);

class View {
  constructor(tag, properties, children) {
    this.tag = tag;
    this.properties = properties;
    this.key = properties.key;
    this.children = children;
  }
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof View ? child : plain(child)));
}

/** Elements of this rendering that are mounted once they are all in the document. */
let fresh = [];

/** Changes the children of an element to match the views. */
export function render(element, ...views) {
  const outer = fresh;
  fresh = [];
  patchChildren(element, flat(views));
  const mounted = fresh;
  fresh = outer;
  for (const { element: one, mount } of mounted) one[VIEW].end = mount(one);
}

function patchChildren(parent, views) {
  const keyed = byKey(parent);
  discardAbsent(keyed, views);
  let at = parent.firstChild;
  for (const view of views) {
    const old = view.key === undefined ? reusable(at, view) : keyed.get(view.key);
    const isSame = old && fits(old, view);
    if (isSame) {
      if (old === at) at = at.nextSibling;
      else move(parent, old, at);
      patch(old, view);
    } else {
      parent.insertBefore(create(view, parent), at);
    }
    if (isSame && view.key !== undefined) keyed.delete(view.key);
  }
  while (at) {
    const next = at.nextSibling;
    discard(at);
    at = next;
  }
}

/** An element that is moved keeps its focus and its scroll position, where the browser can. */
function move(parent, element, at) {
  if (parent.moveBefore) parent.moveBefore(element, at);
  else parent.insertBefore(element, at);
}

/** Elements that are not wanted leave first: otherwise all that stay would move past them. */
function discardAbsent(keyed, views) {
  if (keyed.size === 0) return;
  const wanted = new Set(views.map((view) => view.key));
  for (const [key, element] of keyed) {
    if (wanted.has(key)) continue;
    discard(element);
    keyed.delete(key);
  }
}

function byKey(parent) {
  const keyed = new Map();
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    const key = node[VIEW]?.view.key;
    if (key !== undefined) keyed.set(key, node);
  }
  return keyed;
}

/** An element without a key may be reused where it stands. */
function reusable(node, view) {
  return node && node[VIEW]?.view.key === undefined && fits(node, view) ? node : undefined;
}

function fits(node, view) {
  if (!(view instanceof View)) return node.nodeType === Node.TEXT_NODE;
  return node.nodeType === Node.ELEMENT_NODE && node[VIEW]?.view.tag === view.tag;
}

function create(view, parent) {
  if (!(view instanceof View)) return document.createTextNode(view);
  const isSvg = view.tag === "svg" || parent.namespaceURI === SVG;
  const element = isSvg
    ? document.createElementNS(SVG, view.tag)
    : document.createElement(view.tag);
  element[VIEW] = { view: { tag: view.tag, properties: {} } };
  patch(element, view);
  const { mount } = view.properties;
  if (mount) fresh.push({ element, mount });
  return element;
}

function patch(node, view) {
  if (!(view instanceof View)) {
    if (node.data !== view) node.data = view;
    return;
  }
  if (node[VIEW].view === view) return;
  const before = node[VIEW].view.properties;
  for (const name of Object.keys(before)) {
    if (!(name in view.properties)) set(node, name, before[name], undefined);
  }
  for (const [name, value] of Object.entries(view.properties)) {
    if (before[name] !== value) set(node, name, before[name], value);
  }
  node[VIEW].view = view;
  if (!view.properties.mount) patchChildren(node, view.children);
  // Options must be there before one of them can be chosen.
  if (view.tag === "select" && "value" in view.properties) node.value = view.properties.value;
  view.properties.update?.(node);
}

const NOT_SET = new Set(["key", "mount", "update"]);

function set(element, name, before, value) {
  if (NOT_SET.has(name)) return;
  if (name.startsWith("on")) {
    element[name.toLowerCase()] = value ?? null;
  } else if (name === "style") {
    for (const key of Object.keys(before ?? {})) {
      if (!(key in (value ?? {}))) element.style.removeProperty(key);
    }
    for (const [key, one] of Object.entries(value ?? {})) {
      if (before?.[key] !== one) element.style.setProperty(key, one);
    }
  } else if (name === "value" || name === "checked" || name === "indeterminate") {
    element[name] = value ?? "";
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : plain(value));
  }
}

function discard(node) {
  end(node);
  node.remove();
}

function end(node) {
  node[VIEW]?.end?.();
  for (let child = node.firstChild; child; child = child.nextSibling) end(child);
}
