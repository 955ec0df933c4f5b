import type { XmlElement } from './xml-tree.ts';

export const VAST_NAMESPACE = 'http://www.iab.com/VAST';

/** Prefix → namespace, as far as an element of the text that was written declares them; what is around it declares the rest. */
interface Declared {
  readonly own: Map<string, string> | null;
  readonly around: Declared | null;
}

const NOTHING_DECLARED: Declared = { own: new Map([['', '']]), around: null };

/**
 * The child elements as text that means the same in any other document: every prefix that is used is declared, on the
 * outermost element that uses it. VAST's own namespace, and none, are left to the document around: 2.0 and 3.0 have
 * none, 4.x has that one.
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
    // An attribute without a prefix is in no namespace, whatever the default is.
    attributes.set(colon === -1 ? key : named(key.slice(0, colon), key.slice(colon + 1)), value);
  }
  const start = `<${name}${declarations.join('')}${[...attributes].map(([key, value]) => ` ${key}="${attributeText(value)}"`).join('')}`;
  const inScope = own === null ? declared : { own, around: declared };
  const content = element.nodes.map((node) => (typeof node === 'string' ? characters(node) : written(node, inScope)));
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/** At most one look for each level; nothing is copied, as many prefixes around many elements would cost their product. */
function declaredAs(prefix: string, declared: Declared): string | undefined {
  for (let at: Declared | null = declared; at !== null; at = at.around) {
    const namespace = at.own?.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** The namespace of a prefix where the element stands; '' for none. One that nobody declared gets a name of its own. */
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
