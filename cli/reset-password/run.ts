import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Requester } from '../../actors/audit-entry/audit-entry.ts';
import { emailNameId, type UserState } from '../../actors/user/reduce.ts';
import { user } from '../../actors/user/user.ts';
import { withMessenger } from '../../composition/with-messenger.ts';
import { untilAnswered } from '../../gateways/management/bootstrap/until-answered.ts';
import { hashPassword } from '../../gateways/management/identity/passwords/password-hash.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';

const PASSWORD_BYTES = 16;

export const run: Run<{ secondFactor?: boolean }> = async ({ args, options: { secondFactor = false } }) => {
  // A folder that is created because of a mistaken DATA_DIR is readable by its owner only, like those of the exchange.
  process.umask(0o077);
  const email = args[0]!;
  return withMessenger(readSettings(process.env), async ({ messenger, store }) => {
    const { documents } = await store.query(user.kind, { where: { 'borneName.nameId': emailNameId(email) }, limit: 1 });
    const [found] = documents;
    if (found === undefined) {
      throw new CommandFailed(`There is no user ${email}.`, EXIT.refused, 'NOT_FOUND');
    }
    const { accountId, status } = found.state as UserState;
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const passwordHash = await hashPassword(password);
    const requestId = `reset-password-${randomBytes(PASSWORD_BYTES).toString('hex')}`;
    const by: Requester = {
      requestId,
      actor: 'command/reset-password',
      accountId,
      address: `this machine, ${userInfo().username}`,
      route: 'exchange reset-password',
    };
    const ask = (step: string) => ({ by, requestId: `${requestId}-${step}` });
    if (secondFactor)
      await untilAnswered(() => messenger.ask(user, found.id, 'reset-second-factor', {}, ask('factor')));
    const changes = { changes: { passwordHash } };
    await untilAnswered(() => messenger.ask(user, found.id, 'update', changes, ask('password')));
    const lines = [`The password of ${email} is now, shown this once:`, password];
    if (secondFactor) lines.push('The second factor is gone: set up another after logging in.');
    if (status === 'disabled') lines.push('The user is disabled: an operator enables it again.');
    return { json: { email, password, second_factor_removed: secondFactor, status }, text: `${lines.join('\n')}\n` };
  });
};
