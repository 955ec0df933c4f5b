import { isDeclaration, type XmlElement } from './xml-tree.ts';

export const VAST_NAMESPACE = 'http://www.iab.com/VAST';

/**
 * Serialises the child elements as text that means the same in any other document: every used prefix is declared, on
 * the outermost element that uses it. VAST's own namespace, and none, are left to the surrounding document: 2.0 and 3.0
 * have none, 4.x has that one.
 */
export function fragmentOf(element: XmlElement): string {
  const text: string[] = [];
  const scope: Scope = { around: element, read: new Namespaces(), written: new Namespaces() };
  for (const node of element.nodes) if (typeof node !== 'string') write(node, scope, text);
  return text.join('');
}

/** What the prefixes mean at the element that is being written. */
interface Scope {
  /** The element that contains the fragment. */
  readonly around: XmlElement;
  /** The declarations within the fragment, as it is read. */
  readonly read: Namespaces;
  /** The declarations within the fragment, as it is written. */
  readonly written: Namespaces;
}

/**
 * The declarations of the elements that are open. They are kept by prefix: with many prefixes around many elements, a
 * search through the levels would cost their product, as copies would.
 */
class Namespaces {
  readonly #innermostLast = new Map<string, string[]>();

  of(prefix: string): string | undefined {
    return this.#innermostLast.get(prefix)?.at(-1);
  }

  declare(prefix: string, namespace: string): void {
    const declared = this.#innermostLast.get(prefix);
    if (declared === undefined) this.#innermostLast.set(prefix, [namespace]);
    else declared.push(namespace);
  }

  /** Ends the element that declared these. */
  leave(prefixes: readonly string[]): void {
    for (const prefix of prefixes) this.#innermostLast.get(prefix)!.pop();
  }
}

function write(element: XmlElement, scope: Scope, text: string[]): void {
  const { read, written } = scope;
  const attributes = Object.entries(element.attributes);
  const ownRead: string[] = [];
  for (const [key, value] of attributes) {
    if (!isDeclaration(key)) continue;
    const prefix = key.slice('xmlns:'.length);
    read.declare(prefix, value.trim());
    ownRead.push(prefix);
  }
  const ownWritten: string[] = [];
  let declarations = '';
  const declare = (prefix: string, namespace: string): void => {
    if ((written.of(prefix) ?? (prefix === '' ? '' : undefined)) === namespace) return;
    written.declare(prefix, namespace);
    ownWritten.push(prefix);
    declarations += ` xmlns${prefix === '' ? '' : `:${prefix}`}="${attributeText(namespace)}"`;
  };
  const named = (prefix: string, localName: string, isAttribute: boolean): string => {
    if (prefix === 'xml') return `xml:${localName}`;
    // An attribute without a prefix is in no namespace, whatever the default namespace is.
    if (isAttribute && prefix === '') return localName;
    const namespace = namespaceOf(prefix, scope);
    const isOfVast = namespace === '' || namespace === VAST_NAMESPACE;
    if (isOfVast && isAttribute) return localName;
    const as = isOfVast ? '' : prefix;
    declare(as, isOfVast ? '' : namespace);
    return as === '' ? localName : `${as}:${localName}`;
  };
  const name = named(element.prefix, element.localName, false);
  const kept = new Map<string, string>();
  for (const [key, value] of attributes) {
    if (isDeclaration(key)) continue;
    const colon = key.indexOf(':');
    kept.set(named(key.slice(0, Math.max(0, colon)), key.slice(colon + 1), true), value);
  }
  let start = `<${name}${declarations}`;
  for (const [key, value] of kept) start += ` ${key}="${attributeText(value)}"`;
  text.push(start);
  if (element.nodes.length === 0) {
    text.push('/>');
  } else {
    text.push('>');
    for (const node of element.nodes) {
      if (typeof node === 'string') text.push(characters(node));
      else write(node, scope, text);
    }
    text.push(`</${name}>`);
  }
  written.leave(ownWritten);
  read.leave(ownRead);
}

/** The namespace of a prefix; '' for none. An undeclared prefix gets a namespace of its own. */
function namespaceOf(prefix: string, { around, read }: Scope): string {
  const within = read.of(prefix);
  if (within !== undefined) return within;
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  for (let at: XmlElement | null = around; at !== null; at = at.parent) {
    if (Object.hasOwn(at.attributes, key)) return at.attributes[key]!.trim();
  }
  return prefix === '' ? '' : `urn:undeclared:${prefix}`;
}

function attributeText(text: string): string {
  return characters(text).replace(/"/g, '&quot;').replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');
}

function characters(text: string): string {
  if (!/[&<>\r]/.test(text)) return text;
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');
}
