import type { BidRequest } from '../openrtb/bid-request.ts';
import { conversionOf, type Step } from '../openrtb/conversion.ts';
import { type Ext, namesOf, type ObjectTable, type ViewerData } from '../openrtb/fields/field.ts';
import { movedFields } from '../openrtb/moved-fields.ts';
import { type Mutable, shallowCopy } from '../openrtb/shallow-copy.ts';
import { allowsIds, type PrivacyTreatment } from './treatment.ts';
import { truncateAddress } from './truncate-address.ts';

type WithholdingTreatment = Exclude<PrivacyTreatment, 'open'>;

/** The kinds of viewer data that each treatment leaves out (decision 0022). */
const LEFT_OUT: Readonly<Record<WithholdingTreatment, readonly ViewerData[]>> = {
  'coarse-geo': ['exact-place'],
  limited: ['exact-place', 'id', 'identity'],
  child: ['exact-place', 'id', 'identity', 'profile', 'coordinate', 'city'],
};

/** The number of decimals of degrees that are kept: about one kilometre. */
const DEGREES_KEPT = 2;

const WITHHELD: Readonly<Record<WithholdingTreatment, ReturnType<typeof conversionOf>>> = {
  'coarse-geo': conversionOf((table) => stepOf(table, 'coarse-geo')),
  limited: conversionOf((table) => stepOf(table, 'limited')),
  child: conversionOf((table) => stepOf(table, 'child')),
};

/**
 * Removes what the treatment withholds (decision 0022) from a copy of a request, and returns the copy. Objects in it
 * are copied before they are changed.
 */
export function withhold(request: Mutable<BidRequest>, treatment: PrivacyTreatment): Mutable<BidRequest> {
  return treatment === 'open' ? request : WITHHELD[treatment](request);
}

/** The change of one object under a treatment; null where the treatment changes nothing in it. */
function stepOf(table: ObjectTable, treatment: WithholdingTreatment): Step | null {
  const permitted = namesOf(table, ({ viewer }) => viewer === 'country');
  if (treatment === 'child' && permitted.length > 0) return (object) => selected(object, permitted);

  const leftOut = namesOf(table, ({ viewer }) => viewer !== undefined && LEFT_OUT[treatment].includes(viewer));
  if (table.ext.viewer !== undefined && LEFT_OUT[treatment].includes(table.ext.viewer)) leftOut.push('ext');
  const rounded = namesOf(table, ({ viewer }) => viewer === 'coordinate').filter((name) => !leftOut.includes(name));
  const truncated = allowsIds(treatment) ? [] : namesOf(table, ({ viewer }) => viewer === 'address');
  const filterExt = allowsIds(treatment) ? null : extFilter(table, leftOut);
  if (leftOut.length + rounded.length + truncated.length === 0 && filterExt === null) return null;
  return (object) => {
    const limited: Record<string, unknown> = shallowCopy(object, leftOut);
    for (const name of rounded) {
      if (object[name] !== undefined) limited[name] = Number((object[name] as number).toFixed(DEGREES_KEPT));
    }
    for (const name of truncated) {
      if (object[name] !== undefined) limited[name] = truncateAddress(object[name] as string);
    }
    if (filterExt !== null && object.ext) limited.ext = filterExt(object.ext as Ext);
    return limited;
  };
}

/**
 * The filter of an `ext` that may identify the viewer: it keeps only fields that are known not to. A field that 2.5
 * carries in `ext` is withheld when it is withheld in its 2.6 place.
 */
function extFilter(table: ObjectTable, leftOut: readonly string[]): Step | null {
  const { toldWithoutIds } = table.ext;
  if (toldWithoutIds === undefined) return null;
  const moved = movedFields(table).filter((name) => !leftOut.includes(name));
  const others = Object.entries(toldWithoutIds);
  return (ext) => {
    const permitted = selected(ext, moved);
    for (const [name, check] of others) {
      if (ext[name] !== undefined && check(ext[name]) === undefined) permitted[name] = ext[name];
    }
    return permitted;
  };
}

function selected(object: Ext, names: readonly string[]): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const name of names) if (object[name] !== undefined) left[name] = object[name];
  return left;
}
