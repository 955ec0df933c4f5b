import { Page } from '../../kit/page.tsx';

export function SupplySourcePage() {
  return <Page title="Publisher">{null}</Page>;
}
