import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import Type from 'typebox';
import { anonymousIdentity } from '#gateways/management/identity/caller';
import { apiRouter } from '#gateways/management/routing/api-router';
import { defineRoute } from '#gateways/management/routing/route';
import { type RunningManagement, startManagement } from '../running-management.ts';

const rows = [
  { name: 'plain', amount: 1.5 },
  { name: 'with, comma and "quotes"\nand a line', amount: -2 },
  { name: 'a line\n=1+1', amount: 0 },
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'].map((name) => ({ name, amount: 0 })),
];

const report = defineRoute({
  method: 'GET',
  path: '/api/test/report',
  tag: 'Service',
  operationId: 'listRows',
  summary: 'Read a report',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({ rows: Type.Array(Type.Object({ name: Type.String(), amount: Type.Number() })) }),
    csv: (answer) => ({
      columns: ['name', 'amount'],
      rows: answer.rows.map(({ name, amount }) => [name, amount]),
    }),
  },
  async handle() {
    return { rows };
  },
});

const reportOfMonth = defineRoute({
  ...report,
  path: '/api/test/report/:id/months/:month',
  operationId: 'listRowsOfMonth',
  params: Type.Object({ id: Type.String(), month: Type.String() }),
  async handle() {
    return { rows };
  },
});

describe('gateways/management/routing/write-answer', () => {
  let running: RunningManagement;
  let server: Server;
  before(async function () {
    running = await startManagement(this);
    const app = new Koa();
    app.use((ctx, next) => {
      ctx.state.identity = anonymousIdentity;
      return next();
    });
    app.use(apiRouter([report, reportOfMonth], running.parts).routes());
    server = createServer(app.callback());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await running.close();
  });
  const ask = (accept: string, path = '/api/test/report') =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers: { Accept: accept } });

  for (const accept of [
    '*/*',
    'application/json',
    'text/csv;q=0.5, application/json',
    'image/png',
    'text/*;q=0, */*',
  ]) {
    it(`is JSON for Accept: ${accept}`, async () => {
      const answer = await ask(accept);
      expect(answer.headers.get('content-type')).to.include('application/json');
      expect(answer.headers.get('vary')).to.include('Accept');
      expect(await answer.json()).to.deep.equal({ rows });
    });
  }

  for (const accept of ['text/csv', 'text/csv, application/json;q=0.9', 'text/*']) {
    it(`is CSV for Accept: ${accept}`, async () => {
      const answer = await ask(accept);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="test-report.csv"');
      expect(answer.headers.get('vary')).to.include('Accept');
    });
  }

  it('names a file of CSV by the path that was asked for, with its parameters', async () => {
    const answer = await ask('text/csv', '/api/test/report/a1/months/2027-03');
    expect(answer.headers.get('content-disposition')).to.equal(
      'attachment; filename="test-report-a1-months-2027-03.csv"',
    );
  });

  it('writes RFC 4180, in which text is no formula and numbers are numbers', async () => {
    const text = await (await ask('text/csv')).text();
    expect(text).to.equal(
      [
        'name,amount',
        'plain,1.5',
        '"with, comma and ""quotes""\nand a line",-2',
        '"a line\n=1+1",0',
        ...["'=1+1,0", "'+1,0", "'-1,0", "'@SUM(A1),0", "'\tx,0", `"'\rx",0`],
        '',
      ].join('\r\n'),
    );
  });
});
