/** Why a document cannot be served. */
export type VastRefusal =
  | 'vast-malformed'
  | 'vast-version-unsupported'
  | 'vast-without-ad'
  | 'vast-too-large'
  | 'vast-without-media'
  | 'vpaid-unsupported';

/** Thrown inside the reader alone: `readVast` answers it. */
export class Unreadable extends Error {
  readonly reason: VastRefusal;

  constructor(reason: VastRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
