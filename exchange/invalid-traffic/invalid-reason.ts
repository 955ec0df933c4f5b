/**
 * The reasons why an impression is invalid traffic and not billed, each with the message for publisher and buyer (MRC,
 * Invalid Traffic Detection and Filtration: general invalid traffic). Ledgers count impressions by these names: a name
 * that was ever used stays.
 */
export const INVALID_REASONS = {
  'bot-user-agent': 'The user agent that called for the impression is that of a bot.',
  'named-crawler': 'A crawler that names itself called for the impression.',
  'data-centre': 'The call came from a network of data centres, where no viewers are.',
  'other-country': 'The call came from another country than the ad request’s device.',
  'other-device': 'The call came from another device than the ad request’s.',
  'address-burst': 'Too many impressions were called for from one address.',
  'undeclared-channel': 'The call came by a channel that the source has not declared.',
  'self-fired':
    'Several weak signals together say that whoever asked for the ad called for the impression, and nobody saw it.',
} as const satisfies Record<string, string>;

export type InvalidReason = keyof typeof INVALID_REASONS;
