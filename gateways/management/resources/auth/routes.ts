import { changePassword } from './change-password.ts';
import { logInRoute } from './log-in.ts';
import { logOutRoute } from './log-out.ts';
import { readSession } from './read-session.ts';

export const authRoutes = [logInRoute, logOutRoute, readSession, changePassword];
