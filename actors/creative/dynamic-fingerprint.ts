/** The fingerprint of creatives whose markup differs from auction to auction. */
export const DYNAMIC_FINGERPRINT = '';
