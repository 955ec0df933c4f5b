import { Page } from '../../kit/page.tsx';

export function DemandSourcePage() {
  return <Page title="Demand source">{null}</Page>;
}
