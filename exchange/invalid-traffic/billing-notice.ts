/**
 * By which channel a source tells of its impressions: `client`, the pixel in the markup, which the viewer's device calls; `server`, the
 * `burl` of our answer; or both of them.
 */
export const BILLING_NOTICES = ['client', 'server', 'both'] as const;
export type BillingNotice = (typeof BILLING_NOTICES)[number];
export const DEFAULT_BILLING_NOTICE: BillingNotice = 'both';
