/** The reason why a document cannot be served. */
export type VastRefusal =
  | 'vast-malformed'
  | 'vast-version-unsupported'
  | 'vast-without-ad'
  | 'vast-too-large'
  | 'vast-without-media'
  | 'vpaid-unsupported';

/** Thrown and caught inside the reader only: `readVast` turns it into its result. */
export class Unreadable extends Error {
  readonly reason: VastRefusal;

  constructor(reason: VastRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
