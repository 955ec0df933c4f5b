import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from './xml-tree.ts';

/** White space inside a URL is a broken line. Undefined when nothing is left. */
export function urlOf(element: XmlElement | undefined): string | undefined {
  return element === undefined ? undefined : textOf(element).replace(/[\t\n\r]+/g, '') || undefined;
}

export function urlsOf(parent: XmlElement | undefined, name: string): string[] {
  return childrenOf(parent, name).flatMap((element) => urlOf(element) ?? []);
}

/** The text of a child; undefined when it is not there or empty. */
export function childText(parent: XmlElement, name: string): string | undefined {
  const child = childOf(parent, name);
  return child === undefined ? undefined : textOf(child) || undefined;
}

/** A whole number; decimals and units (`640px`) are cut off. */
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

const CLOCK = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})(?:\.(\d{1,9}))?$/;
/** The schemas' times end with the day. */
const LONGEST_MS = 86_399_999;

/** `hh:mm:ss(.mmm)` in ms; leading parts may be missing. Undefined when it is none. */
export function msOf(clock: string | undefined): number | undefined {
  const match = CLOCK.exec(clock?.trim() ?? '');
  if (!match) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return Math.min(LONGEST_MS, whole * 1000 + Math.floor(Number(`0.${fraction || '0'}`) * 1000 + 1e-6));
}

/** `hh:mm:ss`, with `.mmm` where it is not a whole second. */
export function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`;
}

/** A `skipoffset` or a tracking event's `offset`: a time or a percentage, in the schemas' form. */
export function offsetOf(element: XmlElement, name: string): string | undefined {
  const value = attributeOf(element, name);
  if (value === undefined) return undefined;
  const percent = /^(\d{1,2}|1\d\d)(?:\.\d+)?%$/.exec(value);
  if (percent) return value;
  const ms = msOf(value);
  return ms === undefined ? undefined : clockOf(ms);
}
