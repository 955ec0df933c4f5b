import { Page } from '../../kit/page.tsx';

export function StatementPage() {
  return <Page title="Statement">{null}</Page>;
}
