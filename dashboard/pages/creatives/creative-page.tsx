import { Page } from '../../kit/page.tsx';

export function CreativePage() {
  return <Page title="Creative">{null}</Page>;
}
