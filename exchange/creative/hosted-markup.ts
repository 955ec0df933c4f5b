/**
 * What is served in place of a stable creative's markup: a file among the creatives' files, as JSON, under the SHA-256
 * of its bytes.
 */
export interface HostedMarkup {
  readonly format: 'banner' | 'video' | 'audio' | 'native';
  /**
   * The markup with its macros and placeholders (see creative-template.ts), whose media are at
   * `CREATIVES_URL_PLACEHOLDER`. A VAST document is one inline ad with the trackers of all its wrappers.
   */
  readonly markup: string;
  /** The version of a VAST document, such as `4.0`; null for other markup. */
  readonly vastVersion: string | null;
}
