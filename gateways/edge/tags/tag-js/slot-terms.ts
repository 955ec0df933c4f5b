/** The request of a slot, as parameters of `GET /ad`; `template` is the page's own and is not sent. */
export type SlotTerms = Readonly<Record<string, string>>;

const PREFIX = 'ad';
const OWN = new Set(['template', 'status']);

/** `data-ad-content-genre` is `content_genre`, and `data-ad-publisher` is `publisher_id`. */
export function termsOfElement(element: Element): SlotTerms {
  const terms: Record<string, string> = {};
  for (const [name, value] of Object.entries((element as HTMLElement).dataset)) {
    if (value !== undefined && /^ad[A-Z]/.test(name)) terms[parameter(name.slice(PREFIX.length))] = value;
  }
  return terms;
}

/** `{ publisher: '…', sizes: ['300x250'], contentGenre: 'news' }`; names with underscores are accepted too. */
export function termsOfCall(fields: Readonly<Record<string, unknown>>): SlotTerms {
  const terms: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null) terms[parameter(name)] = String(value);
  }
  return terms;
}

/** The size that is reserved for the ad: the first of the requested sizes. */
export function reservedSize({ w, h, sizes }: SlotTerms): { w: number; h: number } {
  const [width, height] = w && h ? [w, h] : (sizes ?? '300x250').split(/[x,]/);
  return { w: Number(width), h: Number(height) };
}

export function parametersOf(terms: SlotTerms): URLSearchParams {
  return new URLSearchParams(Object.entries(terms).filter(([name]) => !OWN.has(name)));
}

function parameter(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
  return snake === 'publisher' ? 'publisher_id' : snake;
}
