import { Page } from '../../kit/page.tsx';

export function NewSupplyPage() {
  return <Page title="New publisher">{null}</Page>;
}
