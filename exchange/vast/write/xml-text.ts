/** The characters that XML 1.0 cannot represent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/gu;

function withoutForbidden(text: string): string {
  return text.replace(FORBIDDEN, '');
}

/** Escapes text between tags. */
export function escaped(text: string): string {
  return withoutForbidden(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r/g, '&#13;');
}

function attributeText(text: string): string {
  return escaped(text).replace(/"/g, '&quot;').replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');
}

/** Writes markup or parameters unchanged; a `]]>` in them is split over two CDATA sections. */
export function cdata(text: string): string {
  return `<![CDATA[${withoutForbidden(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/**
 * Brackets that may stand in a URL: those of an IPv6 host, and those of a macro, which the player fills in (VAST 4.2
 * §6).
 */
const BRACKETED = /(\/\/\[[0-9a-f:.]+\]|\[[a-z][a-z0-9_]*\])|\s+|[[\]]/gi;

/**
 * Writes a URL with its macros. White space and other brackets, which no schema allows in a URL, are percent-encoded.
 */
function cdataUrl(url: string): string {
  const encoded = withoutForbidden(url.trim()).replace(
    BRACKETED,
    (part, allowed) => allowed ?? encodeURIComponent(part),
  );
  return `<![CDATA[${encoded}]]>`;
}

export type AttributeValue = string | number | boolean | undefined;

/** Writes attributes; undefined ones are left out. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined)
      text += ` ${name}="${attributeText(typeof value === 'number' ? decimal(value) : `${value}`)}"`;
  }
  return text;
}

/** Writes a number without an exponent, which the schemas' decimals do not allow. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(9) : text;
}

/** Writes an element; `content` is XML already. */
export function element(name: string, content: string, values: Readonly<Record<string, AttributeValue>> = {}): string {
  return `<${name}${attributes(values)}>${content}</${name}>`;
}

/** Writes an element, or nothing where there is no text. */
export function textElement(name: string, text: string | undefined): string {
  return text === undefined ? '' : element(name, escaped(text));
}

export function urlElement(
  name: string,
  url: string | undefined,
  values: Readonly<Record<string, AttributeValue>> = {},
): string {
  return url === undefined ? '' : element(name, cdataUrl(url), values);
}

export function urlElements(name: string, urls: readonly string[]): string {
  return urls.map((url) => urlElement(name, url)).join('');
}

/** Writes an element, or nothing where there is no content. */
export function container(
  name: string,
  content: string,
  values: Readonly<Record<string, AttributeValue>> = {},
): string {
  return content === '' ? '' : element(name, content, values);
}
