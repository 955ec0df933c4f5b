import { Page } from '../../kit/page.tsx';

export function CreativesPage() {
  return <Page title="Creatives">{null}</Page>;
}
