import { formatDuration, parseDurationMs } from '../duration.ts';
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

/** URLs that run code in the page around the player that opens or loads them. */
const SCRIPT = /^(?:javascript|vbscript):/i;

/**
 * The URL in an element. White space inside it is removed, since it comes from a broken line. Undefined when nothing is
 * left, and for a URL that runs code.
 */
export function urlOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  const url = textOf(element).replace(/[\t\n\r]+/g, '');
  return url === '' || SCRIPT.test(url) ? undefined : url;
}

export function urlsOf(parent: XmlElement | undefined, name: string): string[] {
  return childrenOf(parent, name).flatMap((element) => urlOf(element) ?? []);
}

/** The text of a child; undefined when the child is missing or empty. */
export function childText(parent: XmlElement, name: string): string | undefined {
  const child = childOf(parent, name);
  return child === undefined ? undefined : textOf(child) || undefined;
}

/** Reads a whole number; decimals and units (`640px`) are cut off. */
export function wholeAttribute(element: XmlElement, name: string): number | undefined {
  const digits = /^\+?(\d{1,15})(?:[.a-z%]|$)/i.exec(attributeOf(element, name) ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function decimalAttribute(element: XmlElement, name: string): number | undefined {
  const value = attributeOf(element, name);
  return value !== undefined && /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

export function flagAttribute(element: XmlElement, name: string): boolean | undefined {
  switch (attributeOf(element, name)?.toLowerCase()) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return undefined;
  }
}

export function oneOfAttribute<T extends string>(
  element: XmlElement,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = attributeOf(element, name)?.toLowerCase();
  return allowed.find((option) => option === value);
}

/** Reads a `skipoffset` or a tracking event's `offset`: a time or a percentage, in the schemas' form. */
export function offsetOf(element: XmlElement, name: string): string | undefined {
  const value = attributeOf(element, name);
  if (value === undefined) return undefined;
  const percent = /^(\d{1,2}|1\d\d)(?:\.\d+)?%$/.exec(value);
  if (percent) return value;
  const ms = parseDurationMs(value);
  return ms === undefined ? undefined : formatDuration(ms);
}
