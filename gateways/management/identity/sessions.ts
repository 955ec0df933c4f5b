import { createHash } from 'node:crypto';
import type { Requester } from '#actors/audit-entry/audit-entry';
import { type SessionState, session } from '#actors/session/session';
import { isActive, type UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import type { ManagementDeps } from '../deps.ts';
import { uuidOf } from './request-ids.ts';
import { makeSessionToken, readSessionToken } from './session-token.ts';

/** A session ends when it was not used for this time in ms (specification, "Limits"). */
export const sessionIdleTimeoutMs = 24 * 3_600_000;
/** The shortest time in ms between two records of the use of one session. */
const touchIntervalMs = 60_000;

export interface ActiveSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly user: UserState;
  /** The end of the session in ms since the epoch, if it is not used again. */
  readonly endsAtMs: number;
  /** Whether the use was recorded just now, so that the session lasts longer than its cookie says. */
  readonly renewed: boolean;
}

type SessionLifetimeDeps = { readonly settings: Pick<ManagementDeps['settings'], 'sessionLifetimeDays'> };

/**
 * The end of a session that was opened and last used at these instants, in ms since the epoch, if it is not used again.
 */
export function endOfSession(
  { openedAtMs, lastSeenAtMs }: Pick<SessionState, 'openedAtMs' | 'lastSeenAtMs'>,
  { settings }: SessionLifetimeDeps,
): number {
  return Math.min(lastSeenAtMs + sessionIdleTimeoutMs, openedAtMs + settings.sessionLifetimeDays * 86_400_000);
}

/**
 * Whether this session is open, belongs to an active user, was used within the last day, and is younger than the
 * longest lifetime.
 */
function isOpenSession(
  opened: SessionState,
  owner: UserState | null,
  userId: string,
  nowMs: number,
  deps: SessionLifetimeDeps,
): owner is UserState {
  if (endOfSession(opened, deps) <= nowMs) return false;
  return owner !== null && isActive(owner) && opened.userId === userId && opened.epoch === owner.sessionEpoch;
}

/** The ids of those of these sessions that have ended. The check does not count as a use and prolongs no session. */
export async function endedSessions(
  { store, clock, settings }: Pick<ManagementDeps, 'store' | 'clock'> & SessionLifetimeDeps,
  sessions: readonly { readonly sessionId: string; readonly userId: string }[],
): Promise<string[]> {
  const keys = sessions.flatMap(({ sessionId, userId }) => [
    { kind: session.kind, id: sessionId },
    { kind: user.kind, id: userId },
  ]);
  const states = (await store.load(keys)).map((document) => document?.state ?? null);
  return sessions.flatMap(({ sessionId, userId }, index) => {
    const opened = states[2 * index] as SessionState | null;
    const owner = states[2 * index + 1] as UserState | null;
    return opened !== null && isOpenSession(opened, owner, userId, clock.now(), { settings }) ? [] : [sessionId];
  });
}

type SessionDeps = Pick<ManagementDeps, 'messenger' | 'store' | 'clock' | 'logger' | 'settings'>;

/**
 * Opens a session under the user's present epoch: a login during a change of password opens a session that has already
 * ended.
 */
export async function openSession(
  { messenger, random, clock }: Pick<ManagementDeps, 'messenger' | 'random' | 'clock'>,
  userId: string,
  { sessionEpoch }: Pick<UserState, 'sessionEpoch'>,
  by?: Requester,
): Promise<{ readonly token: string; readonly endsAtMs: number }> {
  const token = makeSessionToken(userId, random);
  const atMs = clock.now();
  const { sessionId } = readSessionToken(token)!;
  // An audited messenger states the requester itself.
  const options = by === undefined ? {} : { by };
  await messenger.ask(session, sessionId, 'open', { userId, epoch: sessionEpoch, atMs }, options);
  return { token, endsAtMs: atMs + sessionIdleTimeoutMs };
}

/**
 * Finds the session of a token; null when there is none, or it has ended. Every use reads the saved state, so that a
 * logout, a new password or a disabled user ends the session in every process at once.
 */
export async function findSession(deps: SessionDeps, token: string): Promise<ActiveSession | null> {
  const { messenger, store, clock, logger } = deps;
  const read = readSessionToken(token);
  if (read === null) return null;
  const { sessionId, userId } = read;
  const keys = [
    { kind: session.kind, id: sessionId },
    { kind: user.kind, id: userId },
  ];
  const [opened, owner] = (await store.load(keys)).map((document) => document?.state ?? null);
  if (!opened) return null;
  const state = opened as SessionState;
  const nowMs = clock.now();
  const unusedSinceMs = nowMs - sessionIdleTimeoutMs;
  const note = (telling: Promise<void>) =>
    telling.catch((err: unknown) => logger.warn({ err }, 'the use of a session was not written down'));

  if (state.lastSeenAtMs <= unusedSinceMs) {
    void note(messenger.tell(session, sessionId, 'expire', { unusedSinceMs }));
    return null;
  }
  const ownerState = owner as UserState | null;
  if (!isOpenSession(state, ownerState, userId, nowMs, deps)) return null;
  const renewed = nowMs - state.lastSeenAtMs >= touchIntervalMs;
  if (renewed) void note(messenger.tell(session, sessionId, 'touch', { atMs: nowMs }));
  const endsAtMs = endOfSession({ ...state, lastSeenAtMs: renewed ? nowMs : state.lastSeenAtMs }, deps);
  return { sessionId, userId, user: ownerState, endsAtMs, renewed };
}

export async function endSession(
  { messenger, store }: Pick<ManagementDeps, 'messenger' | 'store'>,
  token: string,
  byUser: (userId: string, accountId: string) => Requester,
): Promise<void> {
  const read = readSessionToken(token);
  if (read === null) return;
  // The store is read first, so that an invented token wakes no actor.
  const { sessionId, userId } = read;
  const [opened, owner] = await store.load([
    { kind: session.kind, id: sessionId },
    { kind: user.kind, id: userId },
  ]);
  if (!opened || opened.deleted) return;
  const { accountId } = (owner?.state ?? { accountId: '' }) as Pick<UserState, 'accountId'>;
  await messenger.ask(session, sessionId, 'end', {}, { by: byUser(userId, accountId) });
}

/** The id of a session in the API, a UUID, from which neither its token nor the token's hash can be derived. */
export function publicSessionId(sessionId: string): string {
  return uuidOf(createHash('sha256').update(`session:${sessionId}`).digest());
}

export interface ListedSession {
  readonly sessionId: string;
  readonly state: SessionState;
}

/** The open sessions of a user, the newest first. */
export async function sessionsOf(
  deps: Pick<ManagementDeps, 'store' | 'clock' | 'settings'>,
  userId: string,
  owner: UserState,
): Promise<ListedSession[]> {
  const { documents } = await deps.store.query(session.kind, { where: { userId } });
  const nowMs = deps.clock.now();
  return documents
    .map(({ id, state }) => ({ sessionId: id, state: state as SessionState }))
    .filter(({ state }) => isOpenSession(state, owner, userId, nowMs, deps))
    .sort((a, b) => b.state.openedAtMs - a.state.openedAtMs);
}
