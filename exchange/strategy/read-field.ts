import type { BidRequest } from '../openrtb/bid-request.ts';
import type { Imp } from '../openrtb/fields/imp.ts';

/** A bid request as campaigns are matched against it. */
export interface TargetingContext {
  readonly request: BidRequest;
  /** The imp that is bid on; null where no imp is chosen: every creative then fits. */
  readonly imp: Imp | null;
  /** The publisher's `content_genre`, for content that names no genre. */
  readonly publisherGenre: string | null;
}

/**
 * Reads the values at a path: none for a field that is absent, null or an empty list, or a genre that is empty; several
 * where a list lies on the path.
 */
export type FieldReader = (targeting: TargetingContext) => readonly unknown[];

const NOTHING: readonly unknown[] = [];

/** Lists in a bid request nest at most this deep; what lies deeper is read as a value. */
const MAX_LIST_DEPTH = 8;

/** Makes the reader of a path that `fieldKind` knows. The path is split once, here. */
export function fieldReader(path: string): FieldReader {
  const whole = path.split('.');
  const [root, ...rest] = whole;
  const aliased = root === 'imp' || root === 'geo' || root === 'content';
  const steps = aliased ? rest : whole;
  const start = startOf(root);
  const read: FieldReader = (targeting) => valuesAt(start(targeting), steps, 0);
  if (!path.endsWith('content.genre')) return read;
  return (targeting) => {
    const found = read(targeting);
    // An empty genre is none, as it is to bidders.
    if ((found.length > 0 && found[0] !== '') || !namesGenre(path, targeting.request)) return found;
    return targeting.publisherGenre === null ? NOTHING : [targeting.publisherGenre];
  };
}

function startOf(root: string | undefined): (targeting: TargetingContext) => unknown {
  switch (root) {
    case 'imp':
      return ({ imp }) => imp;
    case 'geo':
      return ({ request }) => request.device?.geo;
    case 'content':
      return ({ request }) => (request.site ?? request.app ?? request.dooh)?.content;
    default:
      return ({ request }) => request;
  }
}

/** Whether the path is the genre of the inventory that the request has, which the publisher's genre fills. */
function namesGenre(path: string, { site, app, dooh }: BidRequest): boolean {
  if (path === 'content.genre') return true;
  if (path === 'site.content.genre') return site !== undefined;
  if (path === 'app.content.genre') return app !== undefined;
  return path === 'dooh.content.genre' && dooh !== undefined;
}

/** Follows the path directly as long as it meets no list. */
function valuesAt(from: unknown, steps: readonly string[], at: number): readonly unknown[] {
  let value = from;
  for (let index = at; index < steps.length; index++) {
    if (Array.isArray(value)) return valuesBelow(value, steps, index);
    value = step(value, steps[index]!);
    if (value === undefined || value === null) return NOTHING;
  }
  if (Array.isArray(value)) return valuesBelow(value, steps, steps.length);
  return value === undefined || value === null ? NOTHING : [value];
}

function valuesBelow(list: readonly unknown[], steps: readonly string[], at: number): readonly unknown[] {
  const all: unknown[] = [];
  collect(list, 0);
  return all;

  function collect(elements: readonly unknown[], depth: number): void {
    for (const element of elements) {
      if (element === undefined || element === null) continue;
      if (Array.isArray(element) && depth < MAX_LIST_DEPTH - 1) collect(element, depth + 1);
      else if (at === steps.length) all.push(element);
      else for (const value of valuesAt(step(element, steps[at]!), steps, at + 1)) all.push(value);
    }
  }
}

function step(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
