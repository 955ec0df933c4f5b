import { regionsOfPage } from './regions-of-page.ts';
import { type Site, Slot } from './slot.ts';
import { type SlotTerms, termsOfCall, termsOfElement } from './slot-terms.ts';

/**
 * The JS tag: fills slots of a page with ads of the exchange that served the script, from its nearest region. It has
 * one global, `adExchange`: an array until this script has loaded, then an object with the same `push`. Slots are
 * elements with `data-ad-publisher`, found when the page has been parsed, and pushed calls: `{ element: '#slot',
 * publisher: '…', format: 'banner' }`.
 */
declare global {
  interface Window {
    adExchange?: { push(...calls: unknown[]): unknown };
  }
}

/** Attribute of a slot that shows its status. */
const STATUS = 'data-ad-status';

const script = document.currentScript as HTMLScriptElement | null;
const site: Site = { regions: regionsOfPage(script, new URL('.', script?.src || location.href).href), status: STATUS };

function open(element: Element, terms: SlotTerms): void {
  // Each slot is opened once, however often it is found or pushed.
  if (element instanceof HTMLElement && !element.hasAttribute(STATUS)) new Slot(site, element, terms).open();
}

/** A call that fails costs the others nothing. */
function push(...calls: unknown[]): void {
  for (const call of calls) {
    try {
      openCall(call);
    } catch (error) {
      console.warn('ad tag: adExchange.push failed,', error instanceof Error ? error.message : error, call);
    }
  }
}

/** Calls whose element is not there, while the page is still being parsed. */
const early: unknown[] = [];

function openCall(call: unknown): void {
  const { element, ...terms } = (call ?? {}) as { element?: string | Element };
  const found = typeof element === 'string' ? document.querySelector(element) : element;
  if (found) open(found, { ...termsOfElement(found), ...termsOfCall(terms) });
  else if (document.readyState === 'loading') early.push(call);
  else throw new Error(`the page has no element ${element}`);
}

function scan(): void {
  for (const element of document.querySelectorAll('[data-ad-publisher]')) open(element, termsOfElement(element));
}

const waiting = window.adExchange;
// The script may be on the page twice.
if (waiting === undefined || Array.isArray(waiting)) {
  window.adExchange = { push };
  push(...(waiting ?? []));
  const parsed = (): void => {
    push(...early);
    scan();
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', parsed);
  else parsed();
}
