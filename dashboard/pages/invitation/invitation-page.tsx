import { Page } from '../../kit/page.tsx';

export function InvitationPage() {
  return <Page title="Invitation">{null}</Page>;
}
