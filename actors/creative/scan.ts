import Type, { type Static } from 'typebox';

/**
 * What a scan can find. `violation`: a publisher that takes scanned creatives only does not get it; `warning`: it does.
 */
export const FINDINGS = {
  'plain-http': 'violation',
  'too-many-redirects': 'violation',
  'too-many-domains': 'violation',
  'too-slow': 'violation',
  'too-many-wrappers': 'violation',
  'forbidden-address': 'violation',
  unreachable: 'violation',
  'unreadable-markup': 'violation',
  vpaid: 'violation',
  'mining-script': 'violation',
  'forced-redirect': 'violation',
  'fake-close-button': 'violation',
  'wrong-advertiser-domain': 'violation',
  'advertiser-unknown': 'warning',
  'too-large': 'warning',
  recommendation: 'warning',
} as const satisfies Record<string, 'violation' | 'warning'>;
export type FindingCode = keyof typeof FINDINGS;

export const Finding = Type.Object({
  code: Type.Enum(Object.keys(FINDINGS) as FindingCode[]),
  /** One sentence: what was found, and where. */
  message: Type.String(),
  /** The URL that it was found at, without its query; null where there is none. */
  url: Type.Union([Type.String(), Type.Null()]),
});
export type Finding = Static<typeof Finding>;

const Count = Type.Integer({ minimum: 0 });

/** What a scan measured. */
export const ScanReport = Type.Object({
  /** Registrable domains that the creative loads from, in the order in which they were met. */
  domains: Type.Array(Type.String(), { maxItems: 50 }),
  /** Redirects of the longest chain. */
  redirects: Count,
  /** VAST wrappers before the ad. */
  wrappers: Count,
  /** From the first request to the document or the first byte of its slowest file, ms. */
  loadMs: Count,
  /** Bytes of all that was loaded. */
  bytes: Count,
  /** The registrable domain that the landing page ends at; null where it cannot be read. */
  landingDomain: Type.Union([Type.String(), Type.Null()]),
  /** SHA-256 of the screenshot among the creatives' files; null where none is taken. */
  screenshot: Type.Union([Type.String(), Type.Null()]),
});
export type ScanReport = Static<typeof ScanReport>;

/** Whether the findings keep the creative from publishers that take scanned creatives only. */
export function hasViolation(findings: readonly Pick<Finding, 'code'>[]): boolean {
  return findings.some(({ code }) => FINDINGS[code] === 'violation');
}
