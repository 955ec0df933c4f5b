import type { XmlElement } from './xml-tree.ts';

export const VAST_NAMESPACE = 'http://www.iab.com/VAST';

/** Prefix → namespace, as far as the text that was written declares them. */
type Declared = Readonly<Record<string, string>>;

const NOTHING_DECLARED: Declared = Object.assign(Object.create(null), { '': '' });

/**
 * The child elements as text that means the same in any other document: every prefix that is used is declared, on the
 * outermost element that uses it. VAST's own namespace, and none, are left to the document around: 2.0 and 3.0 have
 * none, 4.x has that one.
 */
export function fragmentOf(element: XmlElement): string {
  return element.nodes.map((node) => (typeof node === 'string' ? '' : written(node, NOTHING_DECLARED))).join('');
}

function written(element: XmlElement, declared: Declared): string {
  // What is around it shows through: copied for each element, many prefixes would cost what they are times the elements.
  const inScope: Record<string, string> = Object.create(declared);
  const declarations: string[] = [];
  const named = (prefix: string, localName: string): string => {
    if (prefix === 'xml') return `xml:${localName}`;
    const namespace = namespaceOf(element, prefix);
    const own = namespace === VAST_NAMESPACE ? '' : namespace;
    const written = own === '' ? '' : prefix;
    if (inScope[written] !== own) {
      inScope[written] = own;
      declarations.push(` xmlns${written === '' ? '' : `:${written}`}="${attributeText(own)}"`);
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
  const content = element.nodes.map((node) => (typeof node === 'string' ? characters(node) : written(node, inScope)));
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
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
