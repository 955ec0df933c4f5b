import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVERS = 'scripts/servers.sh';

export interface MongodbServer {
  readonly url: string;
  stop(): void;
}

/** The server of MONGODB_URL, or one of the suite's own. */
export async function mongodbServer(): Promise<MongodbServer> {
  const { MONGODB_URL: given } = process.env;
  if (given) return { url: given, stop: () => {} };
  const { stdout } = await run(SERVERS, ['start']);
  const settings = Object.fromEntries(
    [...stdout.matchAll(/^export (\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value]),
  );
  const { TEST_SERVERS, MONGODB_URL: url } = settings;
  return { url, stop: () => void spawnSync(SERVERS, ['stop'], { env: { ...process.env, TEST_SERVERS } }) };
}
