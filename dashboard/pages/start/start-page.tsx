import { Page } from '../../kit/page.tsx';

export function StartPage() {
  return <Page title="First ad">{null}</Page>;
}
