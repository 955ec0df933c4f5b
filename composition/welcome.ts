import { firstSandbox } from '../gateways/management/bootstrap/account-sandbox.ts';
import type { Settings } from '../settings.ts';
import type { Announced } from './served.ts';

/**
 * The text for a person who starts the exchange on a terminal: where everything is and, at the first start, the
 * credentials that are shown once and the commands to paste next. A later start has nothing new to say, and is brief.
 */
export function welcome(
  settings: Settings,
  { port, edgePort, opsPort, firstCredentials }: Announced,
  warnings: readonly string[] = [],
): string {
  const lines = ['', `The exchange is running (${[...settings.roles].join(', ')}).`, ''];
  if (port !== null && settings.dashboard) lines.push(`  dashboard        http://localhost:${port}`);
  if (port !== null) lines.push(`  documentation    http://localhost:${port}/docs`);
  if (port !== null) lines.push(`  management API   http://localhost:${port}/api/health`);
  if (edgePort !== null) lines.push(`  ad requests      http://localhost:${edgePort}/rtb`);
  lines.push(`  operations       http://localhost:${opsPort}/metrics`);

  const { live_key, sandbox_key, email, password } = firstCredentials?.secrets ?? {};
  if (live_key || sandbox_key) lines.push('', 'API keys, shown this once:');
  if (live_key) lines.push(`  live             ${live_key}`);
  if (sandbox_key) lines.push(`  sandbox          ${sandbox_key}`);
  if (password) lines.push('', 'The first user, shown this once:', `  ${email}  ${password}`);
  if (password && port !== null) {
    lines.push('', 'Logged in, the operator makes keys, users and accounts. To paste:', '');
    lines.push(...post(`-c cookies.txt http://localhost:${port}/api/auth/login`, { email, password }));
  }
  if (edgePort !== null && firstCredentials !== null) {
    lines.push('', 'A first ad request to the sandbox, to paste:', '');
    lines.push(...post(`http://localhost:${edgePort}/rtb`, firstRequest));
  }
  if (warnings.length > 0) lines.push('', 'Before you expose it:', ...warnings.map((warning) => `  ${warning}`));
  return `${lines.join('\n')}\n\n`;
}

const firstRequest = {
  id: 'first',
  imp: [{ id: '1', banner: { w: 300, h: 250 } }],
  site: { id: firstSandbox.publisherId, domain: 'sandbox.example' },
};

/** The command is for a shell, in which an apostrophe ends a quotation. */
function post(target: string, body: object): string[] {
  const quoted = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return [`  curl -s ${target} -H 'Content-Type: application/json' \\`, `    -d '${quoted}'`];
}
