export interface ManagementSettings {
  /** Where this process runs. */
  readonly region: 'fra' | 'nyc' | 'lon';
  /** Of the running release, as `GET /api/health` answers it. */
  readonly version: string;
  /** The largest body accepted, after decompression. */
  readonly bodyLimitBytes: number;
  readonly sellers: SellersSettings;
  /** Whether webhooks may be on loopback, private or link-local addresses. */
  readonly allowPrivateNetworks: boolean;
  /** Whether each answer is held against its schema before it leaves: for tests, since it costs. */
  readonly checkAnswers: boolean;
}

/** The part of sellers.json that no resource holds; null fields are left out. */
export interface SellersSettings {
  readonly contactEmail: string | null;
  readonly contactAddress: string | null;
  readonly identifiers: readonly { readonly name: string; readonly value: string }[];
}

export const defaultManagementSettings: ManagementSettings = {
  region: 'fra',
  version: '0.0.0',
  bodyLimitBytes: 1_048_576,
  allowPrivateNetworks: false,
  sellers: { contactEmail: null, contactAddress: null, identifiers: [] },
  checkAnswers: false,
};
