import { Page } from '../../kit/page.tsx';

export function AuctionsPage() {
  return <Page title="Auctions">{null}</Page>;
}
