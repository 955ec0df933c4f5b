/** What edges hold of a creative. Its id is `creativeId`. */
export interface CreativeProjection {
  readonly dspId: string;
  /** Whether a scan has found nothing against it. */
  readonly clean: boolean;
  /** Whether its markup differs from auction to auction: it stands for all such markup under its `crid`. */
  readonly dynamic: boolean;
  /** SHA-256 of its hosted markup; null where it is served as it comes. */
  readonly hosted: string | null;
}
