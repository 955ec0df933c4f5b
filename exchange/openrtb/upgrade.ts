import type { BidRequest } from './bid-request.ts';
import { conversionOf, type Step } from './conversion.ts';
import type { ObjectTable } from './fields/field.ts';
import { IMP, type Imp } from './fields/imp.ts';
import { movedFields, moveFromExt } from './moved-fields.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';
import { isRewarded } from './signals.ts';

/** Converts a copy of a request to OpenRTB 2.6, and returns it. 2.6 knows all fields of 2.5, so nothing is dropped. */
export const upgrade: (request: Mutable<BidRequest>) => Mutable<BidRequest> = conversionOf(stepOf);

function stepOf(table: ObjectTable): Step | null {
  const moved = movedFields(table);
  if (table === IMP) return (imp) => upgradeImp(imp as Imp, moved) as ReturnType<Step>;
  return moved.length === 0 ? null : (object) => moveFromExt(object, moved);
}

function upgradeImp(imp: Imp, moved: readonly string[]): Imp {
  const lifted = moveFromExt(imp, moved);
  if (lifted.rwdd !== undefined || !isRewarded(imp)) return lifted;
  const rewarded = shallowCopy(lifted);
  rewarded.rwdd = 1;
  return rewarded;
}
