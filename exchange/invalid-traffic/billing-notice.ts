/**
 * The channel by which a source reports its impressions: `client` is the pixel in the markup, which the viewer's device
 * calls; `server` is the `burl` of the exchange's answer; `both` stands for both channels.
 */
export const BILLING_NOTICES = ['client', 'server', 'both'] as const;
export type BillingNotice = (typeof BILLING_NOTICES)[number];
export const DEFAULT_BILLING_NOTICE: BillingNotice = 'both';
