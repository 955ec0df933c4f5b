import { account } from '#actors/account/account';
import { emailNameId, type UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { Parked } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import type { Random } from '#runtime/ports/random';
import type { StateStore } from '#runtime/ports/store';
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
  /** Null: the bootstrap generates a password. */
  readonly password: string | null;
  /**
   * Stores a generated password before it becomes valid. Resolves with the password to use, which may be that of an
   * earlier start that was interrupted.
   */
  readonly storePassword?: (user: GeneratedUser) => Promise<string>;
}

/** The user whose password was just generated at random. It must be shown now, since no plain copy is stored. */
export interface GeneratedUser {
  readonly email: string;
  readonly password: string;
}

/**
 * Creates the first user, an operator of the first account, where there is no user yet. The call may run at every start
 * and in several processes at once, and may be interrupted anywhere. Resolves with null when no user was created, or
 * when the password was given.
 *
 * While an exchange is upgraded process by process from a release without users, the actors of users may live in a
 * process that does not know them and parks their messages. No user is created then and the failure is logged; a later
 * start creates the user.
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
  const claimRequest = { nameId: emailNameId(email), holder: `${user.kind}/${firstUserId}`, claim: 'first-user' };
  let created: UserState;
  try {
    created = await untilAnswered(() =>
      withClaimedName(options, claimRequest, (nameClaim) => {
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
  // Another process that starts at the same time may have been first; its password is then the valid one.
  const isOurs = created.passwordHash === passwordHash;
  return isOurs && options.password === null ? { email, password } : null;
}
