import { account } from '../../../actors/account/account.ts';
import { emailNameId, type UserState } from '../../../actors/user/reduce.ts';
import { user } from '../../../actors/user/user.ts';
import { Parked } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { Random } from '../../../runtime/ports/random.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { type NameClaimDeps, withClaimedName } from '../changes/claim-name.ts';
import { hashPassword } from '../identity/passwords/password-hash.ts';
import { firstAccountId } from './first-account.ts';
import { untilAnswered } from './until-answered.ts';

export const firstUserId = '00000000-0000-4000-8000-0000000000e1';

export interface FirstUserOptions extends NameClaimDeps {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly random: Random;
  readonly email: string;
  /** Null: one is made. */
  readonly password: string | null;
  /** Keeps a password that was made, before it is valid; resolves with the one to use, which may be of a start that was cut off. */
  readonly storePassword?: (user: GeneratedUser) => Promise<string>;
}

/** Who can log in with a password that was made at random just now: to be shown once, for it is kept nowhere in clear. */
export interface GeneratedUser {
  readonly email: string;
  readonly password: string;
}

/**
 * Where there is no user yet, makes the first one: an operator of the first account. Safe to run at every start, in
 * several processes at once, and to be cut off anywhere. Null when nobody was made, or the password was given.
 *
 * While an exchange is upgraded from a release without users, process by process, their actors may be at home in one that
 * does not know them and parks what it is told. Nobody is made then, loudly; a later start does it.
 */
export async function bootstrapFirstUser(options: FirstUserOptions): Promise<GeneratedUser | null> {
  const { messenger, store, random, logger, email } = options;
  const { total } = await store.query(user.kind, { limit: 1 });
  if (total > 0) return null;
  const [first] = await store.load([{ kind: account.kind, id: firstAccountId }]);
  if (!first) return null;

  const { storePassword: keep = async ({ password }) => password } = options;
  const password = options.password ?? (await keep({ email, password: random.id() }));
  const passwordHash = await hashPassword(password);
  const claiming = { nameId: emailNameId(email), holder: `${user.kind}/${firstUserId}`, claim: 'first-user' };
  let created: UserState;
  try {
    created = await untilAnswered(() =>
      withClaimedName(options, claiming, (nameClaim) => {
        const fields = {
          accountId: firstAccountId,
          email,
          name: '',
          role: 'operator' as const,
          passwordHash,
          nameClaim,
        };
        return messenger.ask(user, firstUserId, 'create', fields);
      }),
    );
  } catch (error) {
    if (!(error instanceof Parked)) throw error;
    logger.error({ err: error }, 'the first user was not made: start again once every process is of this release');
    return null;
  }
  // Another process that starts at the same time may have been first: its password is the one that holds.
  const ours = created.passwordHash === passwordHash;
  return ours && options.password === null ? { email, password } : null;
}
