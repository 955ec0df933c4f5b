import { Page } from '../../kit/page.tsx';

export function PoolsPage() {
  return <Page title="Pools">{null}</Page>;
}
