import { PurposeRestriction, type RestrictionType, Segment, SegmentEncoder, TCModel } from '@iabtechlabtcf/core';

export interface ConsentFields {
  readonly vendors?: readonly number[];
  /** Vendors that were disclosed to the user: the consented ones when absent; null: the string has no such segment. */
  readonly disclosed?: readonly number[] | null;
  /** The day on which the string was made; today when absent. */
  readonly updated?: Date;
  readonly purposes?: readonly number[];
  readonly specialFeatures?: readonly number[];
  /** Purposes that the publisher restricts for a vendor. */
  readonly restricted?: readonly {
    readonly vendor: number;
    readonly purpose: number;
    readonly type: RestrictionType;
  }[];
}

/** A TC string (TCF v2) as a consent management platform writes it, made with the IAB's own library. */
export function tcString(fields: ConsentFields): string {
  const { vendors = [], disclosed = vendors, purposes = [], specialFeatures = [], restricted = [], updated } = fields;
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
  // The library needs the vendor list for restrictions only, and reads the ids of it.
  Object.assign(model.publisherRestrictions, { gvl_: { vendorIds: new Set(restricted.map(({ vendor }) => vendor)) } });
  if (updated !== undefined) Object.assign(model, { created: updated, lastUpdated: updated });
  const core = SegmentEncoder.encode(model, Segment.CORE);
  if (disclosed === null) return core;
  model.vendorsDisclosed.set([...disclosed]);
  return `${core}.${SegmentEncoder.encode(model, Segment.VENDORS_DISCLOSED)}`;
}

/** Consent to all purposes and special features for which the exchange asks a vendor's consent. */
export function fullConsent(...vendors: number[]): string {
  return tcString({ vendors, purposes: [1, 2, 3, 4], specialFeatures: [1] });
}
