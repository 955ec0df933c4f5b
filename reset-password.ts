import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Requester } from './actors/audit-entry/audit-entry.ts';
import { emailNameId, type UserState } from './actors/user/reduce.ts';
import { user } from './actors/user/user.ts';
import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { withMessenger } from './composition/with-messenger.ts';
import { untilAnswered } from './gateways/management/bootstrap/until-answered.ts';
import { hashPassword } from './gateways/management/identity/passwords/password-hash.ts';
import { readSettings } from './settings.ts';

const HELP = `Usage: npm run reset-password -- <email> [--second-factor]

Gives a user a new password, prints it, and ends all sessions of the user: the way back for who has lost it, and may run commands
on the machine. Reads REDIS_URL, REDIS_PREFIX, MONGODB_URL and DATA_DIR as the exchange does. On Redis and MongoDB a process with the
role actors must run; with the embedded log or store stop the exchange first. The audit trail has an entry by command/reset-password.

  --second-factor  takes the user's second factor away, too
  -h, --help       prints this
  --version        prints the version

Exit codes: 0 done, 1 there is no such user, 2 nothing was done.
`;
const PASSWORD_BYTES = 16;

// A folder that is created because of a mistaken DATA_DIR is readable by its owner only, like those of the exchange.
process.umask(0o077);

const { values, positionals } = await readArguments(HELP, { 'second-factor': { type: 'boolean', default: false } }, 1);
const [email] = positionals;
if (email === undefined) {
  process.stderr.write(`The email of the user is missing.\n${HELP.split('\n', 1)[0]}\n`);
  process.exit(EXIT_MISUSE);
}
try {
  process.exitCode = await reset(email, values['second-factor'] === true);
} catch (error) {
  process.stderr.write(`Nothing was reset: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}

function reset(email: string, secondFactor: boolean): Promise<number> {
  return withMessenger(readSettings(process.env), async ({ messenger, store }) => {
    const { documents } = await store.query(user.kind, { where: { 'borneName.nameId': emailNameId(email) }, limit: 1 });
    const [found] = documents;
    if (found === undefined) {
      process.stderr.write(`There is no user ${email}.\n`);
      return 1;
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
      route: 'npm run reset-password',
    };
    const ask = (step: string) => ({ by, requestId: `${requestId}-${step}` });
    if (secondFactor)
      await untilAnswered(() => messenger.ask(user, found.id, 'reset-second-factor', {}, ask('factor')));
    const changes = { changes: { passwordHash } };
    await untilAnswered(() => messenger.ask(user, found.id, 'update', changes, ask('password')));
    process.stdout.write(`The password of ${email} is now, shown this once:\n${password}\n`);
    if (secondFactor) process.stdout.write('The second factor is gone: set up another after logging in.\n');
    if (status === 'disabled') process.stdout.write('The user is disabled: an operator enables it again.\n');
    return 0;
  });
}
