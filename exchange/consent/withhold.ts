import type { BidRequest } from '../openrtb/bid-request.ts';
import { conversionOf, type Step } from '../openrtb/conversion.ts';
import { type Ext, namesOf, type ObjectTable, type ViewerData } from '../openrtb/fields/field.ts';
import { movedFields } from '../openrtb/moved-fields.ts';
import { type Mutable, shallowCopy } from '../openrtb/shallow-copy.ts';
import { allowsIds, type PrivacyTreatment } from './treatment.ts';
import { truncateAddress } from './truncate-address.ts';

type WithholdingTreatment = Exclude<PrivacyTreatment, 'open'>;

/** The fields that each treatment leaves out (decision 0022), by what they say of the viewer. */
const LEFT_OUT: Readonly<Record<WithholdingTreatment, readonly ViewerData[]>> = {
  'coarse-geo': ['exact-place'],
  limited: ['exact-place', 'id', 'identity'],
  child: ['exact-place', 'id', 'identity', 'profile', 'coordinate', 'city'],
};

/** Degrees with two decimals: about a kilometre. */
const DEGREES_KEPT = 2;

const WITHHELD: Readonly<Record<WithholdingTreatment, ReturnType<typeof conversionOf>>> = {
  'coarse-geo': conversionOf((table) => stepOf(table, 'coarse-geo')),
  limited: conversionOf((table) => stepOf(table, 'limited')),
  child: conversionOf((table) => stepOf(table, 'child')),
};

/**
 * Takes out of a copy of a request what the treatment withholds (decision 0022), and returns it. What lies below is copied,
 * never changed.
 */
export function withhold(request: Mutable<BidRequest>, treatment: PrivacyTreatment): Mutable<BidRequest> {
  return treatment === 'open' ? request : WITHHELD[treatment](request);
}

/** What becomes of one object under a treatment; null where the treatment leaves it is. */
function stepOf(table: ObjectTable, treatment: WithholdingTreatment): Step | null {
  const told = namesOf(table, ({ viewer }) => viewer === 'country');
  if (treatment === 'child' && told.length > 0) return (object) => kept(object, told);

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

/** Of an `ext` that may name the viewer: what is known not to. What 2.5 has there is withheld where it is in its own place. */
function extFilter(table: ObjectTable, leftOut: readonly string[]): Step | null {
  const { toldWithoutIds } = table.ext;
  if (toldWithoutIds === undefined) return null;
  const moved = movedFields(table).filter((name) => !leftOut.includes(name));
  const others = Object.entries(toldWithoutIds);
  return (ext) => {
    const told = kept(ext, moved);
    for (const [name, check] of others) {
      if (ext[name] !== undefined && check(ext[name]) === undefined) told[name] = ext[name];
    }
    return told;
  };
}

function kept(object: Ext, names: readonly string[]): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const name of names) if (object[name] !== undefined) left[name] = object[name];
  return left;
}
