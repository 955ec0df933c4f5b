import { Page } from '../../kit/page.tsx';

export function NewDemandPage() {
  return <Page title="New demand source">{null}</Page>;
}
