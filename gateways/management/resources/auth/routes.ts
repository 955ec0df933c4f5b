import { changePassword } from './change-password.ts';
import { listSessions } from './list-sessions.ts';
import { logInRoute } from './log-in.ts';
import { logOutRoute } from './log-out.ts';
import { readSession } from './read-session.ts';
import { revokeSession } from './revoke-session.ts';
import { confirmSecondFactor } from './second-factor/confirm.ts';
import { enrolSecondFactor } from './second-factor/enrol.ts';
import { removeSecondFactor } from './second-factor/remove.ts';

export const authRoutes = [
  logInRoute,
  logOutRoute,
  readSession,
  changePassword,
  listSessions,
  revokeSession,
  enrolSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
];
