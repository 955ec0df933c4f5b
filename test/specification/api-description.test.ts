import { expect } from 'chai';
import { routes } from '../../gateways/management/routes.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('the description of the API', (exchange) => {
  shows('open.openapi', async () => {
    const { status, body } = await callJson('GET', `${exchange.running.baseUrl}/api/openapi.json`);
    expect([status, body.openapi]).to.deep.equal([200, '3.1.0']);
    expect(body.servers[0].url).to.equal(exchange.running.baseUrl);
    for (const { method, path } of routes) {
      const operation = body.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).to.include.all.keys('summary', 'responses');
    }
  });

  shows('open.docs', async () => {
    const page = await callJson('GET', `${exchange.running.baseUrl}/docs`);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const files = [...String(page.body).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
    const answers = await Promise.all(files.map((path) => callJson('GET', `${exchange.running.baseUrl}${path}`)));
    expect(answers.map(({ status }) => status)).to.deep.equal(files.map(() => 200));
    expect(answers.some(({ body }) => String(body).includes('/api/openapi.json'))).to.equal(true);
  });
});
