import { pino } from 'pino';
import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { assertSecretKey } from './composition/master-secret.ts';
import type { Announced } from './composition/served.ts';
import { Supervised } from './composition/supervisor/supervised.ts';
import { InvalidSettings, readSettings, type Settings } from './settings.ts';

/**
 * A stop that takes longer than this after the drain is cut off. That is safe: each durable step is taken before its
 * acknowledgement.
 */
const STOP_WITHIN_MS = 20_000;

/**
 * An edge that is restarted drains for at least this long, whatever DRAIN_SECONDS is: others serve in its place, and
 * callers with kept connections have to hear of it.
 */
const RESTART_DRAIN_MS = 3_000;

/**
 * A second signal at least this long after the first cuts the stop off. Ctrl-C sends two at once: from the terminal and
 * from npm.
 */
const INSIST_AFTER_MS = 1_000;

const HELP = `Usage: npm start, or node dist/bundle/main.js

Starts the exchange with the settings of the environment: docs/settings.md, or README.md, lists them. Without any it serves
the API on port 8080 and ads on 8081, and keeps its data in ./data. SIGTERM or Ctrl-C stops it; SIGUSR2 restarts
EDGE_WORKERS one by one.

  -h, --help    prints this
  --version     prints the version

The command line has the rest: npx exchange --help.
`;

function settingsOrExit(): Settings {
  try {
    const read = readSettings(process.env);
    assertSecretKey(read);
    return read;
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    process.stderr.write(`The settings are wrong:\n${error.message}\n`);
    process.exit(EXIT_MISUSE);
  }
}

// Files of the exchange are readable by their owner only: the log, spools, creatives, archives.
process.umask(0o077);

await readArguments(HELP);
const settings = settingsOrExit();
const supervised = Supervised.ofEnvironment(process.env, () => stop({ restart: true }));
const logger = pino({
  level: settings.logLevel,
  base: { region: settings.region, ...(supervised && { process: supervised.name }) },
});

/** What this process has to stop. */
interface Running {
  stop(drainMs: number): Promise<void>;
  /** Ends at once what stops too slowly. */
  readonly kill?: () => void;
}

let running: Running | null = null;
let stoppingSince: number | null = null;
/** What SIGUSR2 does; by itself the signal would end the process. */
let restart = () => logger.warn('SIGUSR2 restarts the edges of EDGE_WORKERS, of which there are none here, or not yet');
// Signals are handled before anything is opened: the first process of a container (PID 1) has no default handlers.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop({ signal }));
process.on('SIGUSR2', () => restart());
// Whoever has lost its supervisor is in the way of the one that is started in its place.
if (supervised) process.once('disconnect', () => stop({ disconnected: true }));

try {
  // The program is loaded after the settings are checked, so that an error in them is reported without delay.
  running = settings.edgeWorkers > 1 && supervised === null ? await superviseEdges() : await startRoles();
} catch (error) {
  // A stop has ended the start, and ends the process.
  if (stoppingSince === null) {
    process.stderr.write(`The exchange could not start: ${(error as Error).message}\n`);
    logger.debug({ err: error }, 'start failed');
    process.exit(1);
  }
}

async function superviseEdges(): Promise<Running> {
  const { supervise } = await import('./composition/supervisor/supervise.ts');
  const supervisor = supervise(settings, logger);
  // From now on a stop is theirs: some of them serve before all do.
  running = supervisor;
  const serving = await supervisor.start();
  let restarts = Promise.resolve();
  restart = () => {
    logger.info('the edges are restarted one by one');
    restarts = restarts
      .then(() => supervisor.restartEdges())
      .then(() => logger.child({}, { level: 'info' }).info('the edges are restarted'));
  };
  await announceServing(serving);
  return supervisor;
}

async function startRoles(): Promise<Running> {
  const { startExchange } = await import('./composition/start-exchange.ts');
  const { collectWhenIdle } = await import('./composition/collect-when-idle.ts');
  const exchange = await startExchange(settings, logger, supervised);
  collectWhenIdle(exchange.requests);
  const { port, edgePort, firstCredentials } = exchange;
  if (supervised) supervised.serving({ port, edgePort, firstCredentials });
  else await announceServing(exchange);
  return exchange;
}

async function announceServing(serving: Announced): Promise<void> {
  const { announce } = await import('./composition/announce.ts');
  const { startWarnings } = await import('./composition/start-warnings.ts');
  await announce({ settings, serving, warnings: startWarnings(settings), logger, out: process.stdout });
}

/** `why` is what the log says of it. */
function stop(why: { readonly signal: string } | { readonly disconnected: true } | { readonly restart: true }): void {
  if (stoppingSince !== null) {
    // A process of a supervisor drains on when its terminal or the loss of its supervisor tells it once more.
    if (supervised === null && performance.now() - stoppingSince >= INSIST_AFTER_MS) end(1);
    return;
  }
  stoppingSince = performance.now();
  logger.info(why, 'stopping');
  // Roles that are still starting have acknowledged nothing that is not durable: a start may be interrupted at any
  // point.
  if (running === null) process.exit(0);
  const drainMs = 'restart' in why ? Math.max(settings.drainMs, RESTART_DRAIN_MS) : settings.drainMs;
  const afterMs = drainMs + STOP_WITHIN_MS;
  setTimeout(() => {
    logger.error({ afterMs }, 'the stop took too long and is cut off');
    end(1);
  }, afterMs).unref();
  running.stop(drainMs).then(
    () => process.exit(0),
    (error) => {
      logger.error({ err: error }, 'the stop failed');
      end(1);
    },
  );
}

function end(code: number): never {
  running?.kill?.();
  process.exit(code);
}
