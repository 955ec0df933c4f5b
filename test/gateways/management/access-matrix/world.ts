import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { beginBooks } from '#gateways/management/bootstrap/first-account';
import type { ManagementDeps } from '#gateways/management/deps';
import { routes } from '#gateways/management/routes';
import { eventually } from '#test/support/eventually';
import { tellAuctionRecord } from '#test/support/recorded-auction';
import { tellSeen } from '#test/support/seen-creative';
import type { ManagementClient } from '../management-client.ts';
import {
  type AccountClients,
  type RunningManagement,
  startManagement,
  type UserClient,
} from '../running-management.ts';
import { codeAt, enrol, guarded } from '../second-factor-client.ts';
import { delegateCampaign, strategyOf } from './delegate.ts';

/**
 * The columns of the matrix, what a request shows of who asks: no credentials; a key that nobody has; a live key, a
 * sandbox key, a live key with X-Sandbox; the session of a member, in the sandbox too, and of an operator; a
 * publisher's and a demand source's own key; a live key with one of the account's partners in X-User-Partner-ID, and
 * with another account's; the session of one of a publisher's own people, and of a demand source's.
 */
export const credentials = [
  'none',
  'bad',
  'live',
  'sandbox',
  'live+X',
  'member',
  'member+X',
  'operator',
  'pub',
  'dsp',
  'partner',
  'foreign',
  'pubU',
  'dspU',
] as const;
export type Credential = (typeof credentials)[number];

/** Whose resource a request names, and in which environment it is. */
export type Target = 'own' | "partner's" | 'sandbox' | "other's" | 'absent';

export type Kind =
  | 'publisher'
  | 'keyed publisher'
  | 'storing publisher'
  | 'bidder'
  | 'keyed bidder'
  | 'delegate'
  | 'strategist'
  | 'campaign'
  | 'auction'
  | 'creative'
  | 'decided creative'
  | 'creative rule'
  | 'pool'
  | 'partner'
  | 'webhook'
  | 'key'
  | 'session'
  | 'invitation'
  | 'user'
  | 'guarded user'
  | 'account'
  /** What that route makes of its example. */
  | `POST ${string}`;

const unlike = () => `Name ${randomUUID()}`;

/** Two accounts with all that the API knows, and callers of every kind. */
export class World {
  readonly #running: RunningManagement;
  readonly own: AccountClients;
  readonly #other: AccountClients;
  member: UserClient;
  operator: UserClient;
  /** Of the own people of the publisher and the demand source whose keys are shown. */
  #people: { pubU: UserClient; dspU: UserClient } | null = null;
  #sources = { publisher: '', dsp: '' };
  readonly #stranger: UserClient;
  readonly #headers = new Map<Credential, Record<string, string>>();
  readonly #ids = new Map<string, Promise<string>>();
  /** Of users with a second factor, by their ids. */
  readonly #recoveryCodes = new Map<string, string>();
  #partnerId = '';

  private constructor(running: RunningManagement, other: AccountClients, users: readonly UserClient[]) {
    this.#running = running;
    this.own = running;
    this.#other = other;
    [this.member, this.operator, this.#stranger] = users as [UserClient, UserClient, UserClient];
  }

  static async start(test: Context): Promise<World> {
    const running = await startManagement(test, 'embedded', { settings: { allowPrivateNetworks: true } });
    await beginBooks(running.node.messenger, running.parts.clock.now());
    const other = await running.newAccount();
    const users = [
      await running.newUser(running.accountId),
      await running.newUser(running.accountId, 'operator'),
      await running.newUser(other.accountId),
    ];
    const world = new World(running, other, users);
    await world.#equip();
    return world;
  }

  async #equip(): Promise<void> {
    const { liveKey, api } = this.own;
    const live = { 'X-API-Key': liveKey };
    this.#partnerId = await made(api.post('/api/partners', { name: unlike() }));
    const foreignId = await made(this.#other.api.post('/api/partners', { name: unlike() }));
    const set = (credential: Credential, headers: Record<string, string>) => this.#headers.set(credential, headers);
    set('none', {});
    set('bad', { 'X-API-Key': 'pk_live_that_nobody_has' });
    set('live', live);
    set('sandbox', { 'X-API-Key': await this.#sandboxKey() });
    set('live+X', { ...live, 'X-Sandbox': 'true' });
    this.#sources = { publisher: await this.#make('publisher', 'own'), dsp: await this.#make('bidder', 'own') };
    await this.#newKeys();
    await this.#newPeople();
    set('partner', { ...live, 'X-User-Partner-ID': this.#partnerId });
    set('foreign', { ...live, 'X-User-Partner-ID': foreignId });
  }

  async #newKeys(): Promise<void> {
    const { publisher, dsp } = this.#sources;
    const sourceKey = async (path: string) => (await this.member.api.post(`${path}/key`)).body.key as string;
    this.#headers.set('pub', { 'X-API-Key': await sourceKey(`/api/supply/sources/${publisher}`) });
    this.#headers.set('dsp', { 'X-API-Key': await sourceKey(`/api/demand/sources/${dsp}`) });
  }

  async #newPeople(): Promise<void> {
    const { publisher, dsp } = this.#sources;
    const { accountId } = this.own;
    this.#people = {
      pubU: await this.#running.newUserOf(accountId, { type: 'publisher', id: publisher }),
      dspU: await this.#running.newUserOf(accountId, { type: 'dsp', id: dsp }),
    };
  }

  async #sandboxKey(): Promise<string> {
    const answer = await this.member.api.post('/api/keys', { name: unlike(), environment: 'sandbox' });
    return answer.body.key;
  }

  get parts(): ManagementDeps {
    return this.#running.parts;
  }

  as(credential: Credential): ManagementClient {
    const { anonymous } = this.#running;
    if (credential === 'member') return this.member.api;
    if (credential === 'member+X') return this.member.api.as({ 'X-Sandbox': 'true' });
    if (credential === 'operator') return this.operator.api;
    if (credential === 'pubU' || credential === 'dspU') return this.#people![credential].api;
    return anonymous.as(this.#headers.get(credential)!);
  }

  /** A resource of that kind and standing; the same one until it is forgotten. */
  id(kind: Kind, target: Target): Promise<string> {
    const name = `${kind} ${target}`;
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const making = this.#make(kind, target);
    this.#ids.set(name, making);
    return making;
  }

  /** After a change: whatever was named before may be as it was no more. */
  async forget(path: string): Promise<void> {
    this.#ids.clear();
    if (/^.api.(source|demand).key$/.test(path)) await this.#newKeys();
    // A caller that accepts an invitation is another user from then on.
    if (!path.startsWith('/api/auth/') && path !== '/api/invitations/accept') return;
    const { accountId } = this.own;
    await this.#newPeople();
    this.member = await this.#running.newUser(accountId);
    this.operator = await this.#running.newUser(accountId, 'operator');
  }

  async #make(kind: Kind, target: Target): Promise<string> {
    if (target === 'absent') return randomUUID();
    const others = target === "other's";
    const account = others ? this.#other : this.own;
    const user = others ? this.#stranger : this.member;
    const sandbox = target === 'sandbox';
    const context = {
      ...(target === "partner's" ? { 'X-User-Partner-ID': this.#partnerId } : {}),
      ...(sandbox ? { 'X-Sandbox': 'true' } : {}),
    };
    const name = unlike();
    const post = (path: string, body: object) => made(account.api.post(path, body, context));
    if (isMaker(kind)) {
      const { path, examples } = routes.find((route) => `${route.method} ${route.path}` === kind)!;
      const body = examples?.body as object;
      return post(path, 'name' in body ? { ...body, name } : body);
    }
    switch (kind) {
      case 'publisher':
        return post('/api/supply/sources', { name, domain: 'd.example', type: 'web' });
      case 'keyed publisher': {
        const id = await this.#make('publisher', target);
        await user.api.post(`/api/supply/sources/${id}/key`);
        return id;
      }
      case 'storing publisher': {
        const id = await this.#make('publisher', target);
        for (const kind of ['requests', 'imps']) {
          const path = `/api/supply/sources/${id}/stored-${kind}/home`;
          expect((await account.api.request('PUT', path, { body: {}, headers: context })).status).to.equal(200);
        }
        return id;
      }
      case 'keyed bidder': {
        const id = await this.#make('bidder', target);
        await user.api.post(`/api/demand/sources/${id}/key`);
        return id;
      }
      case 'bidder':
        return post('/api/demand/sources', { name, mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/bid' });
      case 'delegate':
        return post('/api/demand/sources', { name, mode: 'delegate' });
      case 'strategist': {
        const id = await this.#make('delegate', target);
        await account.api.put(`/api/demand/sources/${id}/strategy`, strategyOf(id));
        return id;
      }
      case 'campaign':
        return post('/api/campaigns', delegateCampaign(await this.#make('delegate', target)));
      case 'auction':
        return tellAuctionRecord(this.#running.parts, {
          sandbox,
          publisher: { id: await this.#make('publisher', target), accountId: account.accountId, generation: 0 },
        });
      case 'creative':
        return tellSeen(this.#running.parts, {
          ...{ accountId: account.accountId, sandbox },
          partnerId: target === "partner's" ? this.#partnerId : null,
          dspId: await this.#make('bidder', target),
          publisherIds: [await this.id('publisher', target)],
        });
      case 'decided creative': {
        const id = await this.#make('creative', target);
        const body = { scope: 'publisher', scope_id: await this.id('publisher', target) };
        expect((await account.api.post(`/api/creatives/${id}/block`, body, context)).status).to.equal(200);
        return id;
      }
      case 'creative rule': {
        const scope = { scope: 'publisher', scope_id: await this.#make('publisher', target) };
        const what = { subject: 'advertiser', value: 'rival.example', decision: 'block' };
        return post('/api/creatives/rules', { ...scope, ...what });
      }
      case 'pool':
        return post('/api/supply/pools', { name });
      case 'partner':
        return target === "partner's" ? this.#partnerId : post('/api/partners', { name });
      case 'webhook':
        return post('/api/webhooks', { url: `https://hooks.example/${randomUUID()}`, events: ['pool.dsp_joined'] });
      case 'key':
        return made(user.api.post('/api/keys', { name, environment: 'live' }));
      case 'session':
        return (await user.api.get('/api/auth/sessions')).body.sessions[0].id;
      case 'invitation':
        return (await this.#invite(user, await this.#make('publisher', target), context)).id;
      case 'user':
        return (await this.#running.newUser(account.accountId)).userId;
      case 'guarded user':
        return (await this.#guarded(await this.#running.newUser(account.accountId))).user.userId;
      case 'account':
        return account.accountId;
    }
  }

  async #invite(by: UserClient, publisherId: string, context: Record<string, string> = {}) {
    const source = { type: 'publisher', id: publisherId };
    const body = { email: `${randomUUID()}@users.example`, role: 'source', source };
    const answer = await by.api.post('/api/invitations', body, context);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body as { id: string; url: string };
  }

  /** Of an invitation that is open. */
  async invitationToken(): Promise<string> {
    const { url } = await this.#invite(this.member, await this.#make('publisher', 'own'));
    return url.split('#')[1]!;
  }

  userOf(credential: Credential): UserClient {
    if (credential === 'pubU' || credential === 'dspU') return this.#people![credential];
    return credential === 'operator' ? this.operator : this.member;
  }

  #guarded(user: UserClient): ReturnType<typeof guarded> {
    return guarded(user, this.#running.anonymous, Date.now);
  }

  passwordOf(credential: Credential): { password: string } {
    return { password: this.userOf(credential).password };
  }

  /** What confirms a second factor that this user has set up. */
  async waitingCode(credential: Credential): Promise<{ code: string }> {
    const { secret } = await enrol(this.userOf(credential));
    return { code: codeAt(secret, Date.now()) };
  }

  /** What removes the second factor of this user, who has one from here on. */
  async unusedCode(credential: Credential): Promise<{ password: string; code: string }> {
    const before = this.userOf(credential);
    if (!this.#recoveryCodes.has(before.userId)) {
      const { user, enrolment } = await this.#guarded(before);
      this.#recoveryCodes.set(user.userId, enrolment.recovery_codes[0]!);
      if (credential === 'operator') this.operator = user;
      else if (credential === 'pubU' || credential === 'dspU') this.#people![credential] = user;
      else this.member = user;
    }
    return { password: before.password, code: this.#recoveryCodes.get(before.userId)! };
  }

  /** The id of one of the people of that source. */
  async personOf(type: 'publisher' | 'dsp', id: string, target: Target): Promise<string> {
    if (target === 'absent') return randomUUID();
    const { accountId } = target === "other's" ? this.#other : this.own;
    return (await this.#running.newUserOf(accountId, { type, id })).userId;
  }

  /** The id of a delivery of that webhook, which is recorded. */
  async testDelivery(webhookId: string, target: Target): Promise<string> {
    if (target === 'absent') return `evt_test_${randomUUID()}`;
    const { api } = target === "other's" ? this.#other : this.own;
    const id = await made(api.post(`/api/webhooks/${webhookId}/test`));
    const path = `/api/webhooks/${webhookId}/deliveries`;
    await eventually('the delivery to be recorded', async () => {
      const { deliveries } = (await api.get(path)).body;
      return deliveries.some((delivery: { id: string }) => delivery.id === id);
    });
    return id;
  }

  close(): Promise<void> {
    return this.#running.close();
  }
}

function isMaker(kind: Kind): kind is `POST ${string}` {
  return kind.startsWith('POST ');
}

async function made(answering: ReturnType<ManagementClient['post']>): Promise<string> {
  const { status, body } = await answering;
  expect(status, JSON.stringify(body)).to.equal(201);
  return body.id;
}
