import { Page } from '../../kit/page.tsx';

export function CampaignPage() {
  return <Page title="Campaign">{null}</Page>;
}
