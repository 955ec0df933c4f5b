/** VAST 2.0 to 4.2. Later minor versions of 4 have the same structure. */
const SUPPORTED_VERSION = /^[234](\.\d+)*$/;
const VAST_1_ROOT = 'videoadservingtemplate';

/** Why an element is not the root of a VAST document that the exchange reads; undefined when it is. */
export function rootFault(
  localName: string,
  version: string,
): { readonly reason: 'vast-malformed' | 'vast-version-unsupported'; readonly message: string } | undefined {
  const name = localName.toLowerCase();
  if (name === VAST_1_ROOT) return { reason: 'vast-version-unsupported', message: 'VAST 1 is not supported' };
  if (name !== 'vast') return { reason: 'vast-malformed', message: `the root is ${localName}, not VAST` };
  if (SUPPORTED_VERSION.test(version)) return undefined;
  return { reason: 'vast-version-unsupported', message: `VAST version "${version}" is not supported` };
}
