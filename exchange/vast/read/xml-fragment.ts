import type { XmlElement } from './xml-tree.ts';

export const VAST_NAMESPACE = 'http://www.iab.com/VAST';

/** The namespaces by prefix that an element of the written text declares; elements around it declare the others. */
interface Declared {
  readonly own: Map<string, string> | null;
  readonly around: Declared | null;
}

const NOTHING_DECLARED: Declared = { own: new Map([['', '']]), around: null };

/**
 * Serialises the child elements as text that means the same in any other document: every used prefix is declared, on
 * the outermost element that uses it. VAST's own namespace, and none, are left to the surrounding document: 2.0 and 3.0
 * have none, 4.x has that one.
 */
export function fragmentOf(element: XmlElement): string {
  return element.nodes.map((node) => (typeof node === 'string' ? '' : written(node, NOTHING_DECLARED))).join('');
}

function written(element: XmlElement, declared: Declared): string {
  let own: Map<string, string> | null = null;
  const declarations: string[] = [];
  const named = (prefix: string, localName: string): string => {
    if (prefix === 'xml') return `xml:${localName}`;
    const namespace = namespaceOf(element, prefix);
    const meant = namespace === VAST_NAMESPACE ? '' : namespace;
    const written = meant === '' ? '' : prefix;
    if ((own?.get(written) ?? declaredAs(written, declared)) !== meant) {
      own ??= new Map();
      own.set(written, meant);
      declarations.push(` xmlns${written === '' ? '' : `:${written}`}="${attributeText(meant)}"`);
    }
    return written === '' ? localName : `${written}:${localName}`;
  };
  const name = named(element.prefix, element.localName);
  const attributes = new Map<string, string>();
  for (const [key, value] of Object.entries(element.attributes)) {
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue;
    const colon = key.indexOf(':');
    // An attribute without a prefix is in no namespace, whatever the default namespace is.
    attributes.set(colon === -1 ? key : named(key.slice(0, colon), key.slice(colon + 1)), value);
  }
  const start = `<${name}${declarations.join('')}${[...attributes].map(([key, value]) => ` ${key}="${attributeText(value)}"`).join('')}`;
  const inScope = own === null ? declared : { own, around: declared };
  const content = element.nodes.map((node) => (typeof node === 'string' ? characters(node) : written(node, inScope)));
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/**
 * Searches the levels one by one. Nothing is copied: with many prefixes around many elements, copies would cost their
 * product.
 */
function declaredAs(prefix: string, declared: Declared): string | undefined {
  for (let at: Declared | null = declared; at !== null; at = at.around) {
    const namespace = at.own?.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** The namespace of a prefix at an element; '' for none. An undeclared prefix gets a namespace of its own. */
function namespaceOf(element: XmlElement, prefix: string): string {
  const key = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  for (let at: XmlElement | null = element; at !== null; at = at.parent) {
    if (Object.hasOwn(at.attributes, key)) return at.attributes[key]!.trim();
  }
  return prefix === '' ? '' : `urn:undeclared:${prefix}`;
}

function attributeText(text: string): string {
  return characters(text).replace(/"/g, '&quot;').replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');
}

function characters(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');
}
