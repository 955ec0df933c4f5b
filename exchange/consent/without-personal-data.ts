import { BID_REQUEST, type BidRequest } from '../openrtb/bid-request.ts';
import type { ObjectTable, ViewerData } from '../openrtb/fields/field.ts';
import type { Mutable } from '../openrtb/shallow-copy.ts';
import { fieldKind } from '../strategy/openrtb-fields.ts';
import { eraseIds } from './erase-ids.ts';
import type { PrivacyTreatment } from './treatment.ts';

/** What names a person, a device or a household, or says where it is within a city. Any `ext` besides. */
const PERSONAL = pathsOf(['id', 'identity', 'address', 'profile', 'coordinate', 'exact-place', 'trait']);

/** Of a child, not even the city. */
const PERSONAL_OF_A_CHILD = pathsOf(['city']);

/** Kept without query and fragment, in which pages hand on whatever they know. */
const CUT_URLS = pathsOf(['url']);

/** The paths of all fields that say one of these of the viewer. */
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
 * The request for a record that outlives it: of the fields that the standard names (`exchange/openrtb/fields`), those that name no
 * person, under the treatment or not; without unknown fields and without extensions, which may hold anything. Ids that other
 * fields repeat are erased as in what leaves for bidders (decision 0022). The request itself is left as it is.
 */
export function withoutPersonalData(request: BidRequest, treatment: PrivacyTreatment): BidRequest {
  const personal = treatment === 'child' ? new Set([...PERSONAL, ...PERSONAL_OF_A_CHILD]) : PERSONAL;
  const kept = keptOf(request, '', personal) as Mutable<BidRequest>;
  return JSON.parse(JSON.stringify(eraseIds(request, kept)));
}

/** How much of what a strategy's condition looks at {@link withoutPersonalData} keeps. `partly`: a URL without its query. */
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

/** Texts, numbers and lists of them: what stands where the standard has no object. */
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
