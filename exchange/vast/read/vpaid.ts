/**
 * Whether a framework is VPAID, which is refused (specification, Creative specifications): it runs code in the player's
 * page.
 */
export function isVpaid(apiFramework: string | undefined): boolean {
  return apiFramework !== undefined && /^vpaid/i.test(apiFramework);
}

const CODE = /shockwave-flash|javascript|ecmascript/i;

/** Whether a media file is VPAID: it says so, or it is code that names no framework, as in old VPAID ads. */
export function isVpaidFile(apiFramework: string | undefined, mimeType: string): boolean {
  return isVpaid(apiFramework) || (apiFramework === undefined && CODE.test(mimeType));
}
