import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import { FirstCredentialsFile } from './first-credentials.ts';
import type { Announced } from './served.ts';
import { welcome } from './welcome.ts';

interface Announcement {
  readonly settings: Settings;
  readonly serving: Announced;
  readonly warnings: readonly string[];
  readonly logger: Logger;
  readonly out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
}

/**
 * Announces that the exchange serves. On a terminal a person reads it: a banner, with the credentials that were not
 * shown yet, which are then removed from their file. Any other output is a log, which holds no secrets: one line of
 * JSON with `"msg":"serving"`, at every LOG_LEVEL, with the roles, the ports, and the path of the file that holds first
 * credentials.
 */
export async function announce({ settings, serving, warnings, logger, out }: Announcement): Promise<void> {
  for (const warning of warnings) logger.warn(warning);
  const { port, edgePort, opsPort, firstCredentials } = serving;
  if (out.isTTY) {
    out.write(welcome(settings, serving, warnings));
    if (firstCredentials) await new FirstCredentialsFile(settings.dataDir).remove();
    return;
  }
  const workers = settings.edgeWorkers > 1 && { edgeWorkers: settings.edgeWorkers };
  const ports = { ...(port !== null && { port }), ...(edgePort !== null && { edgePort }), opsPort };
  const file = firstCredentials && { firstCredentials: firstCredentials.path };
  logger
    .child({}, { level: 'info' })
    .info({ pid: process.pid, roles: [...settings.roles], ...ports, ...workers, ...file }, 'serving');
}
