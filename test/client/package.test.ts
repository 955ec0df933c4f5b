import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { VERSION } from '#client/version';
import { describeApi } from '#gateways/management/openapi/describe-api';
import { routes } from '#gateways/management/routes';
import { defaultManagementSettings } from '#gateways/management/settings';
import { installPackedClient, type ProgramFolder } from './packed-client.ts';

const START = `import { createClient, type PathOf, type Schemas, verifyWebhook, type WebhookEvent } from '@ad-exchange/client';
const client = createClient({ baseUrl: 'http://localhost:8080', apiKey: 'pk_live_x' });
`;

/** Lines that do not compile, each with the error that says so. */
const WRONG: readonly (readonly [line: string, says: string])[] = [
  ["await client.get('/api/nothing');", '"/api/nothing"'],
  ["await client.post('/api/account');", '"/api/account"'],
  ["await client.post('/api/supply/sources');", 'Expected 2 arguments'],
  ["await client.post('/api/supply/sources', { body: { name: 'a', type: 'web' } });", "'domain' is missing"],
  [
    "await client.post('/api/supply/sources', { body: { name: 'a', type: 'web', domain: 1 } });",
    "'number' is not assignable to type 'string'",
  ],
  ["await client.post('/api/supply/sources', { body: { name: 'a', type: 'radio', domain: 'a.example' } });", '"radio"'],
  [
    "await client.post('/api/supply/sources', { body: { name: 'a', type: 'web', domain: 'a.example', colour: 1 } });",
    "'colour' does not exist",
  ],
  ["await client.get('/api/supply/sources/{id}');", 'Expected 2 arguments'],
  ["await client.get('/api/supply/sources/{id}', { params: { path: { name: 'a' } } });", "'name' does not exist"],
  ["await client.get('/api/supply/sources', { params: { query: { perpage: 2 } } });", "'perpage' does not exist"],
  ["(await client.get('/api/account')).data.colour;", "'colour' does not exist"],
  ["client.iterate('/api/account');", '"/api/account"'],
  ["for await (const { colour } of client.iterate('/api/supply/sources')) colour;", "'colour' does not exist"],
  ["await client.csv('/api/account');", '"/api/account"'],
  ["await client.file('/api/account');", '"/api/account"'],
  ["await client.update('/api/account', {}, () => ({ name: 1 }));", "'number' is not assignable"],
  ["verifyWebhook({}, '', '').event.data.pool_id;", "'pool_id' does not exist"],
];

const RIGHT = `${START}
const { data: account, etag } = await client.get('/api/account');
const name: string = account.name;
await client.patch('/api/account', { body: { name }, ifMatch: etag ?? '*' });
for await (const source of client.iterate('/api/supply/sources', { params: { query: { per_page: 2 } } })) {
  const id: string = source.id;
  const gone: undefined = (await client.delete('/api/keys/{id}', { params: { path: { id } } })).data;
  void gone;
}
for await (const event of client.iterate('/api/dsp/{id}/feed', { params: { path: { id: 'a' } }, follow: true })) {
  if (event.type === 'impression') event.cost_micros.toFixed();
}
const rows: string = (await client.csv('/api/statements')).data;
const path = { id: 'a', event: 'wins', hour: '2026-03-14T12', file: 'part-00000.ndjson.gz' } as const;
const params = { path };
const bytes: ArrayBuffer = (await client.file('/api/supply/sources/{id}/log-level-data/files/{event}/{hour}/{file}', { params })).data;
void bytes;
const handle = (event: WebhookEvent) => (event.type === 'pool.dsp_joined' ? event.data.dsp_name : event.type);
handle(verifyWebhook(new Headers(), rows, ['whsec_a']).event);
export type Said = Schemas['Error']['error']['code'];
`;

describe('the package of the client', () => {
  let program: ProgramFolder;
  before(async () => {
    program = await installPackedClient();
  });
  after(() => program?.remove());

  it('contains what it needs and nothing else', () => {
    const compiled = /^dist\/(?:(?:http|lists)\/)?[a-z-]+\.(?:js|d\.ts)$/;
    const others = program.files.filter((file) => !compiled.test(file));
    expect(others).to.have.members(['LICENSE', 'README.md', 'package.json']);
    expect(program.files).to.include.members(['dist/index.js', 'dist/index.d.ts', 'dist/generated.d.ts']);
  });

  it('has the version of the exchange', async () => {
    const manifest = JSON.parse(await readFile('client/package.json', 'utf8'));
    expect(VERSION).to.equal(manifest.version);
    expect(VERSION).to.equal(JSON.parse(await readFile('package.json', 'utf8')).version);
  });

  it('compiles what is right', async () => {
    await program.write('right.ts', RIGHT);
    expect(await program.compile('right.ts')).to.equal('');
  });

  it('compiles what its page shows', async () => {
    const page = await readFile('client/README.md', 'utf8');
    const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text!);
    expect(blocks).to.have.length(4);
    for (const [index, text] of blocks.entries()) await program.write(`page-${index}.ts`, text);
    expect(await program.compile(...blocks.map((_, index) => `page-${index}.ts`))).to.equal('');
  });

  it('has types for every operation of the OpenAPI document, and for no other', async () => {
    const document = describeApi(routes, defaultManagementSettings) as unknown as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const lines = ['get', 'post', 'put', 'patch', 'delete'].map((method) => {
      const paths = Object.entries(document.paths).filter(([, operations]) => method in operations);
      return `same<PathOf<'${method}'>, ${paths.map(([path]) => `'${path}'`).join(' | ')}>(true);`;
    });
    const same = 'const same = <A, B>(_: [A, B] extends [B, A] ? true : false) => {};\n';
    await program.write('all.ts', `${START}${same}${lines.join('\n')}\nexport { client, verifyWebhook };`);
    expect(await program.compile('all.ts')).to.equal('');
  });

  it('refuses each thing that is wrong at the line where it stands', async () => {
    await program.write('wrong.ts', `${START}${WRONG.map(([line]) => line).join('\n')}\n`);
    const said = await program.compile('wrong.ts');
    const first = START.split('\n').length;
    for (const [index, [line, says]] of WRONG.entries()) {
      const at = said.split(/^(?=wrong\.ts\()/m).filter((error) => error.startsWith(`wrong.ts(${first + index},`));
      expect(at.join(''), line).to.contain(says);
    }
  });
});
