import { acceptInvitation } from './accept.ts';
import { inviteUser } from './invite.ts';
import { listInvitations } from './list.ts';
import { lookUpInvitation } from './look-up.ts';
import { renewInvitation } from './renew.ts';
import { revokeInvitation } from './revoke.ts';

export const invitationRoutes = [
  inviteUser,
  listInvitations,
  revokeInvitation,
  renewInvitation,
  lookUpInvitation,
  acceptInvitation,
];
