import { changePassword } from './change-password.ts';
import { listSessions } from './list-sessions.ts';
import { logInRoute } from './log-in.ts';
import { logOutRoute } from './log-out.ts';
import { readSession } from './read-session.ts';
import { revokeSession } from './revoke-session.ts';

export const authRoutes = [logInRoute, logOutRoute, readSession, changePassword, listSessions, revokeSession];
