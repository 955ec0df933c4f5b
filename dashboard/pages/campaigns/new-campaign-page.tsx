import { Page } from '../../kit/page.tsx';

export function NewCampaignPage() {
  return <Page title="New campaign">{null}</Page>;
}
