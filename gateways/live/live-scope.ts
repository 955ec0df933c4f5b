/** The scope of live figures: a whole account, or one partner's sources in it. Live and sandbox never mix. */
export interface LiveScope {
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly sandbox: boolean;
}

export function nameOfScope({ accountId, partnerId, sandbox }: LiveScope): string {
  return `${accountId}/${sandbox ? 'sandbox' : 'live'}/${partnerId ?? ''}`;
}
