import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { account } from '#actors/account/account';
import { apiKey } from '#actors/api-key/api-key';
import type { NameClaim } from '#actors/name/reservation';
import type { UserSource } from '#actors/user/fields';
import { emailNameId } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { CurrentRates } from '#edge/currency/current-rates';
import { createCreatives } from '#gateways/creatives/create-creatives';
import { type CreativeSettings, DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { credentialId } from '#gateways/http/credential-id';
import { LiveFigures } from '#gateways/live/live-figures';
import type { Destination } from '#gateways/log-level-data/destination/destination';
import { LogLevelReader } from '#gateways/log-level-data/log-level-reader';
import { withClaimedName } from '#gateways/management/changes/claim-name';
import type { ManagementDeps } from '#gateways/management/deps';
import { hashPassword } from '#gateways/management/identity/passwords/password-hash';
import { createManagement, type Management } from '#gateways/management/management';
import { defaultManagementSettings, type ManagementSettings } from '#gateways/management/settings';
import { DEFAULT_VERIFICATION_LIMITS, type VerificationSettings } from '#gateways/verification/settings';
import { Verifier } from '#gateways/verification/verifier';
import { SILENT } from '#runtime/node/logger';
import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { freezeWhenComplete } from '#scheduler/billing/freeze-when-complete';
import type { ProviderPair } from '../../support/exchange.ts';
import { type ManagementClient, managementClient } from './management-client.ts';
import { type RunningActors, startActors } from './running-actors.ts';

export interface AccountClients {
  readonly accountId: string;
  readonly liveKey: string;
  readonly sandboxKey: string;
  /** With a live key. */
  readonly api: ManagementClient;
  /** With a sandbox key. */
  readonly sandboxApi: ManagementClient;
}

export interface UserClient {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  /** `exchange_session=…` */
  readonly cookie: string;
  /** With a session of this user. */
  readonly api: ManagementClient;
}

export interface RunningManagement extends AccountClients, RunningActors {
  readonly parts: ManagementDeps;
  readonly verifier: Verifier;
  readonly management: Management;
  readonly baseUrl: string;
  /** Without a key. */
  readonly anonymous: ManagementClient;
  /** An account of its own, with keys. */
  newAccount(): Promise<AccountClients>;
  /** A user of an account, logged in. */
  newUser(accountId: string, role?: 'member' | 'operator'): Promise<UserClient>;
  /** One of the own people of a source of that account, logged in. */
  newUserOf(accountId: string, source: NonNullable<UserSource>): Promise<UserClient>;
}

/** Tests that are about something else are not to run into limits of rates. */
const unhurried = { anonymousRequestsPerMinute: 1_000_000 };

/** Tests see both: books that come in time and books that do not. */
const waitsForBooksMs = 2_000;

/** Of all passwords in tests: a hash is to cost next to nothing. */
const passwordHashCost = { log2n: 4, r: 1, p: 1 };

/** All actors and the management API, all real, on a free port. */
export async function startManagement(
  test: Context,
  pair?: ProviderPair,
  {
    clock = systemClock,
    settings = {},
    creativeSettings = {},
    verification = {},
    accountLedgersFromMs = Number.POSITIVE_INFINITY,
    logLevelData = null,
  }: {
    clock?: Clock;
    settings?: Partial<ManagementSettings>;
    creativeSettings?: Partial<CreativeSettings>;
    verification?: Partial<VerificationSettings>;
    /** By default accounts have no books of their own: their figures are those of their sources. */
    accountLedgersFromMs?: number;
    /** Where log-level data lies; by default none is written. */
    logLevelData?: Destination | null;
  } = {},
): Promise<RunningManagement> {
  const actors = await startActors(test, pair);
  const { node, store, rates, creatives, folder, log } = actors;
  const opened = await createCreatives({
    messenger: node.messenger,
    store,
    storage: creatives,
    settings: { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true, httpsOnly: false, ...creativeSettings },
    stagingFolder: join(folder, 'incoming'),
    clock,
    random: systemRandom,
  });
  const verifier = new Verifier({
    messenger: node.messenger,
    clock,
    settings: {
      ...DEFAULT_VERIFICATION_LIMITS,
      allowPrivateNetworks: false,
      exchangeDomain: settings.exchangeDomain ?? defaultManagementSettings.exchangeDomain,
      certificationId: null,
      ...verification,
    },
  });
  const parts: ManagementDeps = {
    messenger: node.messenger,
    store,
    rates,
    log,
    replica: node.replica,
    live: new LiveFigures(actors.counters, clock),
    currencyRates: new CurrentRates(node.replica, clock, 7 * 86_400_000),
    accountLedgersFromMs,
    creatives: opened.ingest,
    creativeFiles: creatives,
    verifier,
    // Nothing is sold here that could be seen.
    views: { take: async () => 'forged' },
    logLevelData: logLevelData && new LogLevelReader(logLevelData),
    deadLetters: node.deadLetters,
    renderings: async (sales) => sales.map(() => 'unknown'),
    // Months of these tests are not the log's: how far the books have come is for them to say.
    freezeStatement: (source, month) =>
      freezeWhenComplete(
        { store, messenger: node.messenger, clock, completeBooks: async () => {} },
        source,
        month,
        waitsForBooksMs,
      ),
    secretKey: 'a master secret that only tests know',
    settings: {
      ...defaultManagementSettings,
      checkAnswers: true,
      passwordHashCost,
      version: '1.2.3',
      ...unhurried,
      ...settings,
    },
    logger: SILENT,
    random: systemRandom,
    clock,
  };
  const management = createManagement(parts);
  const baseUrl = `http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`;
  const anonymous = managementClient(baseUrl);

  const newAccount = async (): Promise<AccountClients> => {
    const accountId = randomUUID();
    await node.messenger.ask(account, accountId, 'open', {
      name: accountId,
      tier: 'enterprise',
      requestsPerMinute: unhurried.anonymousRequestsPerMinute,
    });
    const keyOf = async (environment: 'live' | 'sandbox'): Promise<string> => {
      const key = `pk_${environment}_${systemRandom.id()}`;
      const body = { accountId, environment, name: 'test', hint: key.slice(0, 12) };
      await node.messenger.ask(apiKey, credentialId(key), 'create', body);
      return key;
    };
    const [liveKey, sandboxKey] = [await keyOf('live'), await keyOf('sandbox')];
    return {
      accountId,
      liveKey,
      sandboxKey,
      api: anonymous.as({ 'X-API-Key': liveKey }),
      sandboxApi: anonymous.as({ 'X-API-Key': sandboxKey }),
    };
  };

  const makeUser = async (
    accountId: string,
    role: 'member' | 'operator' | 'source',
    source: UserSource,
  ): Promise<UserClient> => {
    const userId = randomUUID();
    const email = `${userId}@users.example`;
    const password = `password of ${userId}`;
    const passwordHash = await hashPassword(password, passwordHashCost);
    const claiming = { nameId: emailNameId(email), holder: `${user.kind}/${userId}`, claim: 'test' };
    const create = (nameClaim: NameClaim) =>
      node.messenger.ask(user, userId, 'create', {
        accountId,
        email,
        name: 'Test',
        role,
        source,
        passwordHash,
        nameClaim,
      });
    await withClaimedName(parts, claiming, create);
    const answer = await anonymous.post('/api/auth/login', { email, password });
    const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    return { userId, email, password, cookie, api: anonymous.as({ Cookie: cookie }) };
  };

  return {
    ...(await newAccount()),
    parts,
    verifier,
    management,
    baseUrl,
    anonymous,
    node,
    store,
    rates,
    counters: actors.counters,
    messages: actors.messages,
    creatives,
    folder,
    log,
    newAccount,
    newUser: (accountId, role = 'member') => makeUser(accountId, role, null),
    newUserOf: (accountId, source) => makeUser(accountId, 'source', source),
    async close() {
      await management.close();
      await verifier.close();
      await opened.close();
      await actors.close();
    },
  };
}
