/** The reasons to withhold data, by the names under which they are counted. */
export type PrivacyReason =
  | 'gdpr'
  | 'gdpr-precise-geo'
  | 'us-privacy'
  | 'gpp'
  | 'gpc'
  | 'coppa'
  | 'limited-tracking'
  | 'opt-out';

/**
 * How much of the viewer may leave for bidders. Each treatment withholds all that the one before it does (decision
 * 0022).
 */
export type PrivacyTreatment = 'open' | 'coarse-geo' | 'limited' | 'child';

/** The treatments from the mildest to the strictest. */
const TREATMENTS: readonly PrivacyTreatment[] = ['open', 'coarse-geo', 'limited', 'child'];

const TREATMENT_OF: Readonly<Record<PrivacyReason, PrivacyTreatment>> = {
  gdpr: 'limited',
  'gdpr-precise-geo': 'coarse-geo',
  'us-privacy': 'limited',
  gpp: 'limited',
  gpc: 'limited',
  coppa: 'child',
  'limited-tracking': 'limited',
  'opt-out': 'limited',
};

/** The strictest treatment that any of the reasons requires. */
export function treatmentFor(reasons: readonly PrivacyReason[]): PrivacyTreatment {
  let strictest = 0;
  for (const reason of reasons) strictest = Math.max(strictest, TREATMENTS.indexOf(TREATMENT_OF[reason]));
  return TREATMENTS[strictest]!;
}

/** Whether ids of the device and the user may be used and passed on. */
export function allowsIds(treatment: PrivacyTreatment): boolean {
  return treatment === 'open' || treatment === 'coarse-geo';
}
