/**
 * Whether a US Privacy string (CCPA, version 1: `1YYN`) says that the user opted out of sale. A malformed string says
 * nothing.
 */
export function optsOutOfSale(usPrivacy: string): boolean {
  return /^1[YN-]Y[YN-]$/i.test(usPrivacy);
}
