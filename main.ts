import { pino } from 'pino';
import { collectWhenIdle } from './composition/collect-when-idle.ts';
import { type Exchange, startExchange } from './composition/start-exchange.ts';
import { startWarnings } from './composition/start-warnings.ts';
import { welcome } from './composition/welcome.ts';
import { InvalidSettings, readSettings, type Settings } from './settings.ts';

/** A stop that has not ended by then, after the drain, is cut off: every durable step was taken before its acknowledgement. */
const STOP_WITHIN_MS = 20_000;

/** A second signal this long after the first cuts the stop off. Ctrl-C comes twice at once: from the terminal and from npm. */
const INSIST_AFTER_MS = 1_000;

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    process.stderr.write(`The settings are wrong:\n${error.message}\n`);
    process.exit(2);
  }
}

// What is written is its owner's alone: the log, spools, creatives, archives.
process.umask(0o077);

const settings = settingsOrExit();
const logger = pino({ level: settings.logLevel, base: { region: settings.region } });

let exchange: Exchange | null = null;
let stoppingSince: number | null = null;
// Before anything is opened: the first process of a container has no other way to be ended.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));

try {
  exchange = await startExchange(settings, logger);
  collectWhenIdle();
  const warnings = startWarnings(settings);
  for (const warning of warnings) logger.warn(warning);
  process.stdout.write(welcome(settings, exchange, warnings));
} catch (error) {
  process.stderr.write(`The exchange could not start: ${(error as Error).message}\n`);
  logger.debug({ err: error }, 'start failed');
  process.exit(1);
}

function stop(signal: string): void {
  if (stoppingSince !== null) {
    if (performance.now() - stoppingSince >= INSIST_AFTER_MS) process.exit(1);
    return;
  }
  stoppingSince = performance.now();
  logger.info({ signal }, 'stopping');
  // Nothing is under way for anybody while it starts, and a start may be cut off anywhere.
  if (exchange === null) process.exit(0);
  const afterMs = settings.drainMs + STOP_WITHIN_MS;
  setTimeout(() => {
    logger.error({ afterMs }, 'the stop took too long and is cut off');
    process.exit(1);
  }, afterMs).unref();
  exchange.stop().then(
    () => process.exit(0),
    (error) => {
      logger.error({ err: error }, 'the stop failed');
      process.exit(1);
    },
  );
}
