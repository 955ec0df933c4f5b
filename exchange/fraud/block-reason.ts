/**
 * The reasons why an ad request is answered 403, each with the message for its caller. Requests are counted by these
 * names.
 */
export const BLOCK_REASONS = {
  'unknown-publisher': 'The publisher is not known here.',
  'archived-publisher': 'The publisher is archived.',
  'foreign-key': 'The key is not one of the account that the publisher belongs to, nor its own source key.',
  'invalid-floor': 'The floor is invalid.',
  'site-mismatch': 'The site that the request names is not one that the publisher has declared.',
  'app-mismatch': 'The app that the request names is not one that the publisher has declared.',
  'key-required': 'The publisher sells only to callers that show its key.',
  'unverified-supply':
    'The pool takes verified supply alone: the publisher’s (app-)ads.txt does not list the exchange.',
  'private-address': 'The device’s address is a private or reserved one.',
  'blocked-network': 'The device’s address belongs to a blocked network.',
  bot: 'The device’s user agent is that of a bot.',
  'address-flood': 'Too many requests come from the device’s address.',
  'caller-flood': 'Too many requests without a key and without a device come from the caller’s address.',
  'device-flood': 'Too many requests come from the device.',
  'replayed-request': 'A request with this id has been made already.',
} as const satisfies Record<string, string>;

export type BlockReason = keyof typeof BLOCK_REASONS;
