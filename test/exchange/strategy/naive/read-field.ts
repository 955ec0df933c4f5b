import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { TargetingContext } from '#exchange/strategy/read-field';

/**
 * What stands at a path: nothing for a field that is absent (or null, or an empty list), several values where a list
 * lies on the way. The path is one that `fieldKind` knows.
 */
export function readField(view: TargetingContext, path: string): readonly unknown[] {
  const steps = path.split('.');
  const [root, ...rest] = steps;
  const found = root === 'imp' ? walk([view.imp], rest) : readFromRequest(view.request, steps);
  if (!namesGenre(path, view.request)) return found;
  const stated = found.filter((genre) => genre !== '');
  return stated.length > 0 || view.publisherGenre === null ? stated : [view.publisherGenre];
}

function readFromRequest(request: BidRequest, steps: readonly string[]): readonly unknown[] {
  const [root, ...rest] = steps;
  if (root === 'geo') return walk([request.device?.geo], rest);
  if (root === 'content') return walk([(request.site ?? request.app ?? request.dooh)?.content], rest);
  return walk([request], steps);
}

/** A publisher's genre fills that of the inventory that the request has. */
function namesGenre(path: string, { site, app, dooh }: BidRequest): boolean {
  if (path === 'content.genre') return true;
  if (path === 'site.content.genre') return site !== undefined;
  if (path === 'app.content.genre') return app !== undefined;
  return path === 'dooh.content.genre' && dooh !== undefined;
}

function walk(from: readonly unknown[], steps: readonly string[]): readonly unknown[] {
  let values = flat(from);
  for (const step of steps) {
    values = flat(values.map((value) => (isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined)));
  }
  return values;
}

/** Lists as their elements, without what is absent. */
function flat(values: readonly unknown[]): unknown[] {
  return values.flat(8).filter((value) => value !== undefined && value !== null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
