import type { BidRequest } from './bid-request.ts';
import type { Ext, Flag } from './fields/field.ts';
import type { Imp } from './fields/imp.ts';
import type { SupplyChain } from './fields/source.ts';
import type { Eid } from './fields/user.ts';

/**
 * The signals that OpenRTB 2.5 carries in `ext` and 2.6 in fields of their own. Where a request has both, the 2.6 field
 * counts. An absent signal stays absent: for regulations it means unknown, not no.
 */
export interface Signals {
  readonly coppa?: Flag;
  readonly gdpr?: Flag;
  /** IAB TCF consent string. */
  readonly consent?: string;
  readonly usPrivacy?: string;
  readonly gpp?: string;
  readonly gppSid?: readonly number[];
  readonly schain?: SupplyChain;
  readonly eids?: readonly Eid[];
}

export function readSignals(request: BidRequest): Signals {
  const { regs, user, source } = request;
  return {
    coppa: regs?.coppa,
    gdpr: regs?.gdpr ?? (regs?.ext?.gdpr as Flag | undefined),
    consent: user?.consent ?? (user?.ext?.consent as string | undefined),
    usPrivacy: regs?.us_privacy ?? (regs?.ext?.us_privacy as string | undefined),
    gpp: regs?.gpp ?? (regs?.ext?.gpp as string | undefined),
    gppSid: regs?.gpp_sid ?? (regs?.ext?.gpp_sid as readonly number[] | undefined),
    schain: source?.schain ?? (source?.ext?.schain as SupplyChain | undefined),
    eids: user?.eids ?? (user?.ext?.eids as readonly Eid[] | undefined),
  };
}

/** Whether the user is rewarded for watching: `rwdd` (2.6), `ext.rwdd`, or Prebid's older `is_rewarded_inventory`. */
export function isRewarded(imp: Imp): boolean {
  if (imp.rwdd !== undefined) return imp.rwdd === 1;
  if (imp.ext === undefined) return false;
  return imp.ext.rwdd === 1 || (imp.ext.prebid as Ext | undefined)?.is_rewarded_inventory === 1;
}
