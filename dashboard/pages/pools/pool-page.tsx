import { Page } from '../../kit/page.tsx';

export function PoolPage() {
  return <Page title="Pool">{null}</Page>;
}
