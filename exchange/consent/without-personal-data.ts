import { BID_REQUEST, type BidRequest } from '../openrtb/bid-request.ts';
import type { ObjectTable, ViewerData } from '../openrtb/fields/field.ts';
import type { Mutable } from '../openrtb/shallow-copy.ts';
import { fieldKind } from '../strategy/openrtb-fields.ts';
import { eraseIds } from './erase-ids.ts';
import type { PrivacyTreatment } from './treatment.ts';

/**
 * The data that identify a person, a device or a household, or locate it within a city. All extensions are left out
 * besides.
 */
const PERSONAL = pathsOf(['id', 'identity', 'address', 'profile', 'coordinate', 'exact-place', 'trait']);

/** The additional data that are left out for a child: the city. */
const PERSONAL_OF_A_CHILD = pathsOf(['city']);

/** URLs that are kept without query and fragment, where pages pass on what they know about the viewer. */
const CUT_URLS = pathsOf(['url']);

/** The paths of all fields that hold one of these kinds of viewer data. */
function pathsOf(wanted: readonly ViewerData[]): ReadonlySet<string> {
  const paths = new Set<string>();
  collectPaths(BID_REQUEST, '');
  return paths;

  function collectPaths({ fields }: ObjectTable, prefix: string): void {
    for (const [name, { viewer, table }] of Object.entries(fields)) {
      if (viewer !== undefined && wanted.includes(viewer)) paths.add(prefix + name);
      if (table !== null) collectPaths(table, `${prefix}${name}.`);
    }
  }
}

/**
 * A copy of the request for a record that outlives it. It keeps the standard's fields (`exchange/openrtb/fields`) that
 * identify no person, whatever the treatment; unknown fields and extensions are left out, since they may hold anything.
 * Ids that other fields repeat are erased as in requests to bidders (decision 0022). The request itself is not changed.
 */
export function withoutPersonalData(request: BidRequest, treatment: PrivacyTreatment): BidRequest {
  const personal = treatment === 'child' ? new Set([...PERSONAL, ...PERSONAL_OF_A_CHILD]) : PERSONAL;
  const kept = keptOf(request, '', personal) as Mutable<BidRequest>;
  return JSON.parse(JSON.stringify(eraseIds(request, kept)));
}

/**
 * How much {@link withoutPersonalData} keeps of a field that a strategy's condition reads. `partly` is a URL without
 * its query.
 */
export function fieldRetention(field: string): 'all' | 'partly' | 'nothing' {
  const path = field.startsWith('geo.') ? `device.${field}` : field.replace(/^content\./, 'site.content.');
  const steps = path.split('.');
  if (steps.includes('ext')) return 'nothing';
  for (let end = 1; end <= steps.length; end++) {
    if (PERSONAL.has(steps.slice(0, end).join('.'))) return 'nothing';
  }
  return CUT_URLS.has(path) ? 'partly' : 'all';
}

function keptOf(value: object, prefix: string, personal: ReadonlySet<string>): object {
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const path = prefix + name;
    if (personal.has(path)) continue;
    const kind = fieldKind(path);
    if (kind === null || kind === 'ext') continue;
    const left = kind === 'object' ? keptBelow(field, path, personal) : plain(field);
    if (left !== undefined) kept[name] = CUT_URLS.has(path) ? cut(left) : left;
  }
  return kept;
}

function keptBelow(field: unknown, path: string, personal: ReadonlySet<string>): unknown {
  if (Array.isArray(field)) {
    return field.flatMap((element) => (isObject(element) ? [keptOf(element, `${path}.`, personal)] : []));
  }
  return isObject(field) ? keptOf(field, `${path}.`, personal) : undefined;
}

/** Keeps texts, numbers and lists of them, which stand where the standard has no object. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => !isObject(element));
  return isObject(value) ? undefined : value;
}

function cut(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/[?#].*$/s, '') : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
