import { Page } from '../../kit/page.tsx';

export function CampaignsPage() {
  return <Page title="Campaigns">{null}</Page>;
}
