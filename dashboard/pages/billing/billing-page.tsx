import { Page } from '../../kit/page.tsx';

export function BillingPage() {
  return <Page title="Billing">{null}</Page>;
}
