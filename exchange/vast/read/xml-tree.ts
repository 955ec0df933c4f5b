import { SaxesParser } from 'saxes';
import { HALF_A_PAIR, XML_1_0, xmlTextOf } from '../xml-document.ts';
import { Unreadable } from './unreadable.ts';

/** An element under its local name, because documents differ in prefixes and in case. */
export interface XmlElement {
  /** As written, without its prefix. */
  readonly localName: string;
  /** The namespace prefix; '' for none. */
  readonly prefix: string;
  /** The attributes as written, including namespace declarations. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Child elements and runs of text (CDATA is text), in order. */
  readonly nodes: (XmlElement | string)[];
  readonly parent: XmlElement | null;
}

/**
 * Bounds of characters, elements and attributes together, and levels of nesting. A real VAST document has some 10,000,
 * 300 and 10.
 */
const MAX_LENGTH = 1_000_000;
const MAX_PARTS = 20_000;
const MAX_DEPTH = 64;
/** Bound of the name of a namespace, in characters: extensions repeat it wherever its prefix is used. */
const MAX_NAMESPACE = 256;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Parses a document of XML 1.0 with a conforming parser and returns its root. It refuses documents that are not
 * well-formed or exceed the bounds, and every DOCTYPE: VAST has none, and a DOCTYPE can declare entities that expand
 * without end. Elements of the `leftOut` local names, in lower case, are parsed and not kept.
 */
export function parseXml(document: string, leftOut: ReadonlySet<string> = NOTHING): XmlElement {
  if (document.length > MAX_LENGTH) {
    throw new Unreadable('vast-too-large', `the document has more than ${MAX_LENGTH} characters`);
  }
  const text = xmlTextOf(document);
  if (text === null) throw new Unreadable('vast-malformed', HALF_A_PAIR);
  const parser = new SaxesParser({ ...XML_1_0, position: false });
  let root: XmlElement | null = null;
  let open: XmlElement | null = null;
  let depth = 0;
  let parts = 0;
  const addPart = () => {
    parts += 1;
    if (parts > MAX_PARTS) {
      throw new Unreadable('vast-too-large', `there are more than ${MAX_PARTS} elements and attributes`);
    }
  };
  parser.on('error', (error) => {
    throw new Unreadable('vast-malformed', error.message.replace(/\.$/, ''));
  });
  parser.on('doctype', () => {
    throw new Unreadable('vast-malformed', 'the document has a DOCTYPE');
  });
  parser.on('attribute', ({ name, value }) => {
    addPart();
    if (isDeclaration(name) && value.length > MAX_NAMESPACE) {
      throw new Unreadable('vast-too-large', `a namespace has more than ${MAX_NAMESPACE} characters`);
    }
  });
  parser.on('opentag', ({ name, attributes }) => {
    addPart();
    depth += 1;
    if (depth > MAX_DEPTH)
      throw new Unreadable('vast-too-large', `elements are nested deeper than ${MAX_DEPTH} levels`);
    const colon = name.indexOf(':');
    const element: XmlElement = {
      localName: name.slice(colon + 1),
      prefix: name.slice(0, Math.max(0, colon)),
      attributes,
      nodes: [],
      parent: open,
    };
    root ??= element;
    if (!leftOut.has(element.localName.toLowerCase())) open?.nodes.push(element);
    open = element;
  });
  parser.on('text', (run) => open?.nodes.push(run));
  parser.on('cdata', (run) => open?.nodes.push(run));
  parser.on('closetag', () => {
    depth -= 1;
    open = open?.parent ?? null;
  });
  parser.write(text).close();
  if (root === null) throw new Unreadable('vast-malformed', 'the document has no root');
  return root;
}

/** Whether an attribute of this name, as written, declares a namespace. */
export function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:');
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  if (element === undefined) return [];
  const wanted = name.toLowerCase();
  return element.nodes.filter(
    (node): node is XmlElement => typeof node !== 'string' && node.localName.toLowerCase() === wanted,
  );
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** The element's own text, without white space around it. */
export function textOf(element: XmlElement): string {
  return element.nodes
    .filter((node) => typeof node === 'string')
    .join('')
    .trim();
}

/** An attribute without white space around it; undefined when absent or empty. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(element.attributes)) {
    if (key.toLowerCase() === wanted) return value.trim() || undefined;
  }
  return undefined;
}
