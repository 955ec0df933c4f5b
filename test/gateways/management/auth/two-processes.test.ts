import { expect } from 'chai';
import { createManagement } from '#gateways/management/management';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf, type ManagementClient, managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

/** A replica that learns nothing any more: as of a process that the catalogue reaches late. */
const deaf = {
  ready: true,
  get: () => undefined,
  all: () => new Map<string, never>(),
  subscribe: () => () => {},
  follow: () => {},
};

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: another process, on ${pair}`, () => {
    let running: RunningManagement;
    let elsewhere: ManagementClient;
    let close: () => Promise<void>;

    before(async function () {
      running = await startManagement(this, pair);
      const other = createManagement({ ...running.parts, replica: deaf });
      elsewhere = managementClient(`http://127.0.0.1:${await other.listen(0, '127.0.0.1')}`);
      close = () => other.close();
    });
    after(async () => {
      await close?.();
      await running?.close();
    });

    const path = '/api/supply/sources';

    it('knows a session as soon as it is opened, and ends it as soon as it is left', async () => {
      const { api, cookie } = await running.newUser(running.accountId);
      expect((await elsewhere.get(path, { Cookie: cookie })).status).to.equal(200);
      await api.post('/api/auth/logout');
      expect(errorOf(await elsewhere.get(path, { Cookie: cookie }))).to.equal('401 UNAUTHORIZED');
    });

    it('ends the sessions of a user who is disabled, or whose password is another', async () => {
      const operator = await running.newUser(running.accountId, 'operator');
      for (const change of [{ status: 'disabled' }, { password: 'another password' }]) {
        const { userId, cookie } = await running.newUser(running.accountId);
        expect((await elsewhere.get(path, { Cookie: cookie })).status).to.equal(200);
        await operator.api.put(`/api/users/${userId}`, change);
        expect(errorOf(await elsewhere.get(path, { Cookie: cookie }))).to.equal('401 UNAUTHORIZED');
      }
    });

    it('takes a key as soon as it is made, and refuses it as soon as it is revoked', async () => {
      const { api } = await running.newUser(running.accountId);
      const { body } = await api.post('/api/keys', { name: 'A server', environment: 'live' });
      const headers = { 'X-API-Key': body.key };
      expect((await elsewhere.get(path, headers)).status).to.equal(200);
      await api.delete(`/api/keys/${body.id}`);
      expect(errorOf(await elsewhere.get(path, headers))).to.equal('401 UNAUTHORIZED');
    });
  });
