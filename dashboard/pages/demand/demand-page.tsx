import { Page } from '../../kit/page.tsx';

export function DemandPage() {
  return <Page title="Demand">{null}</Page>;
}
