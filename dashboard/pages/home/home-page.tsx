import { Page } from '../../kit/page.tsx';

export function HomePage() {
  return <Page title="Overview">{null}</Page>;
}
