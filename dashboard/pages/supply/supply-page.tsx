import { Page } from '../../kit/page.tsx';

export function SupplyPage() {
  return <Page title="Supply">{null}</Page>;
}
