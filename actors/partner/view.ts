/** What every gateway knows of a partner. */
export interface PartnerView {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
}
