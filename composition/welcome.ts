import { firstSandbox } from '../gateways/management/bootstrap/first-sandbox.ts';
import { offersSandbox, type Settings } from '../settings.ts';
import type { Exchange } from './start-exchange.ts';

/** What a person who starts the exchange by hand wants to know. */
export function welcome(settings: Settings, { port, edgePort, opsPort, madeKeys, madeUser }: Exchange): string {
  const lines = ['', `The exchange is running (${[...settings.roles].join(', ')}).`, ''];
  if (port !== null) lines.push(`  management API   http://localhost:${port}/api/health`);
  if (edgePort !== null) lines.push(`  ad requests      http://localhost:${edgePort}/rtb`);
  lines.push(`  operations       http://localhost:${opsPort}/metrics`);
  if (madeKeys.live || madeKeys.sandbox) lines.push('', 'API keys, shown this once:');
  if (madeKeys.live) lines.push(`  live             ${madeKeys.live}`);
  if (madeKeys.sandbox) lines.push(`  sandbox          ${madeKeys.sandbox}`);
  if (madeUser) lines.push('', 'The first user, shown this once:', `  ${madeUser.email}  ${madeUser.password}`);
  if (edgePort !== null && offersSandbox(settings)) {
    const request = {
      id: 'first',
      imp: [{ id: '1', banner: { w: 300, h: 250 } }],
      site: { id: firstSandbox.publisherId, domain: 'sandbox.example' },
    };
    lines.push('', 'A first ad request to the sandbox, to paste:', '');
    lines.push(`  curl -s http://localhost:${edgePort}/rtb -H 'Content-Type: application/json' \\`);
    lines.push(`    -d '${JSON.stringify(request)}'`);
  }
  return `${lines.join('\n')}\n\n`;
}
