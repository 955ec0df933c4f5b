/** The one framework that is refused (specification, Creative specifications): it runs code in the player's page. */
export function isVpaid(apiFramework: string | undefined): boolean {
  return apiFramework !== undefined && /^vpaid/i.test(apiFramework);
}
