import { Page } from '../../kit/page.tsx';

export function AuctionPage() {
  return <Page title="Auction">{null}</Page>;
}
