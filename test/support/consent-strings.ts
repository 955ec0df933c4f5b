import { PurposeRestriction, type RestrictionType, Segment, SegmentEncoder, TCModel } from '@iabtechlabtcf/core';

export interface ConsentFields {
  readonly vendors?: readonly number[];
  /** Vendors that the user was told of: those consented to where this is absent; null: the string does not say. */
  readonly disclosed?: readonly number[] | null;
  /** The day that the string was made; today when absent. */
  readonly updated?: Date;
  readonly purposes?: readonly number[];
  readonly specialFeatures?: readonly number[];
  /** Purposes that the publisher does not allow to these vendors. */
  readonly restricted?: readonly {
    readonly vendor: number;
    readonly purpose: number;
    readonly type: RestrictionType;
  }[];
}

/** A TC string (TCF v2) as a consent management platform writes it: by the IAB's own library. */
export function tcString(said: ConsentFields): string {
  const { vendors = [], disclosed = vendors, purposes = [], specialFeatures = [], restricted = [], updated } = said;
  const model = new TCModel();
  model.cmpId = 31;
  model.cmpVersion = 2;
  model.vendorListVersion = 48;
  model.vendorConsents.set([...vendors]);
  model.purposeConsents.set([...purposes]);
  model.specialFeatureOptins.set([...specialFeatures]);
  for (const { vendor, purpose, type } of restricted) {
    model.publisherRestrictions.add(vendor, new PurposeRestriction(purpose, type));
  }
  // Only what is restricted asks for the list of vendors, and then for which ids there are.
  Object.assign(model.publisherRestrictions, { gvl_: { vendorIds: new Set(restricted.map(({ vendor }) => vendor)) } });
  if (updated !== undefined) Object.assign(model, { created: updated, lastUpdated: updated });
  const core = SegmentEncoder.encode(model, Segment.CORE);
  if (disclosed === null) return core;
  model.vendorsDisclosed.set([...disclosed]);
  return `${core}.${SegmentEncoder.encode(model, Segment.VENDORS_DISCLOSED)}`;
}

/** Consent to everything that the exchange asks a vendor's consent for. */
export function fullConsent(...vendors: number[]): string {
  return tcString({ vendors, purposes: [1, 2, 3, 4], specialFeatures: [1] });
}
