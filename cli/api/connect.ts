import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type ExchangeClient, ExchangeError, type Login } from '#client/index';
import { isLocalName } from '../../gateways/http/local-name.ts';
import { CommandFailed, EXIT } from '../definition.ts';

/** The options of every command that calls the API. */
export interface CallerOptions {
  readonly url?: string;
  readonly key?: string;
  readonly sandbox?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Credentials {
  readonly apiKey?: string;
  readonly session?: Login;
}

/** Credentials, and where they were found, in words for whoever gave wrong ones. */
interface Found {
  readonly credentials: Credentials;
  readonly where: string;
}

interface FirstSecrets {
  readonly live_key?: string;
  readonly sandbox_key?: string;
  readonly email?: string;
  readonly password?: string;
}

/** The address of the management API: `--url`, EXCHANGE_URL, or that of an exchange on this machine. */
function apiUrl({ url }: CallerOptions, environment: Environment = process.env): string {
  const given = url ?? environment.EXCHANGE_URL ?? `http://localhost:${environment.PORT ?? 8080}`;
  if (URL.canParse(given) && /^https?:/.test(given)) return given;
  throw new CommandFailed(`The URL of the exchange is not one: ${given}`);
}

/**
 * Works with the exchange that the options and the environment name, as an API key or, `asUser`, as a user; a session
 * of its own ends with the work.
 * @throws CommandFailed with what the exchange answers ({@link EXIT}.refused), or that it does not answer
 *   ({@link EXIT}.unavailable)
 */
export async function withClient<T>(
  options: CallerOptions,
  work: (client: ExchangeClient) => Promise<T>,
  asUser = false,
): Promise<T> {
  const baseUrl = apiUrl(options);
  const { credentials, where } = await credentialsFor(options, baseUrl, asUser);
  const client = createClient({
    baseUrl,
    ...credentials,
    sandbox: options.sandbox,
    retries: 1,
    userAgent: 'exchange-cli',
  });
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof ExchangeError ? failureOf(error, baseUrl, where) : error;
  } finally {
    if (credentials.session !== undefined) await client.post('/api/auth/logout').catch(() => {});
  }
}

/** What the options name, else the environment, else the first start; a variable that is empty is not set. */
async function credentialsFor(options: CallerOptions, baseUrl: string, asUser: boolean): Promise<Found> {
  const { EXCHANGE_API_KEY, EXCHANGE_EMAIL: email, EXCHANGE_PASSWORD: password, EXCHANGE_CODE: code } = process.env;
  if (!asUser && options.key !== undefined) return withKey(options.key, '--key');
  if (!asUser && EXCHANGE_API_KEY) return withKey(EXCHANGE_API_KEY, 'EXCHANGE_API_KEY');
  if (email && password) {
    return { credentials: { session: { email, password, ...(code && { code }) } }, where: 'EXCHANGE_EMAIL' };
  }
  const first = isLocalName(new URL(baseUrl).hostname) ? await firstSecrets() : {};
  if (!asUser) {
    const apiKey = options.sandbox ? first.sandbox_key : first.live_key;
    if (apiKey !== undefined) return { credentials: { apiKey }, where: firstSecretsPath() };
    const sentence = 'A credential is missing: set EXCHANGE_API_KEY, or EXCHANGE_EMAIL and EXCHANGE_PASSWORD.';
    throw new CommandFailed(sentence, EXIT.misuse, 'NO_CREDENTIAL');
  }
  if (first.email !== undefined && first.password !== undefined) {
    return { credentials: { session: { email: first.email, password: first.password } }, where: firstSecretsPath() };
  }
  const sentence = 'This is for users and not for keys: set EXCHANGE_EMAIL and EXCHANGE_PASSWORD (and EXCHANGE_CODE).';
  throw new CommandFailed(sentence, EXIT.misuse, 'NO_CREDENTIAL');
}

/** @throws CommandFailed for what no header can hold, as the dots that documents have in place of a key */
function withKey(apiKey: string, where: string): Found {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return { credentials: { apiKey }, where };
  const sentence = `What ${where} has is no API key: it has other characters than one. The first start shows two keys.`;
  throw new CommandFailed(sentence, EXIT.misuse, 'NO_CREDENTIAL');
}

function firstSecretsPath(): string {
  return join(process.env.DATA_DIR ?? './data', 'first-credentials.json');
}

/**
 * What the first start of an exchange on this machine has left for whoever has not seen it; nothing when it was seen.
 */
async function firstSecrets(): Promise<FirstSecrets> {
  const text = await readFile(firstSecretsPath(), 'utf8').catch(() => null);
  return text === null ? {} : JSON.parse(text);
}

function failureOf(error: ExchangeError, baseUrl: string, where: string): CommandFailed {
  const { status, code, fields } = error;
  const message = error.message.replace(`${error.method} ${error.path}: `, '');
  if (status === 0) {
    const said = `${baseUrl} does not answer: ${message}. Is the exchange running (exchange start)? --url names another one.`;
    return new CommandFailed(said, EXIT.unavailable, code);
  }
  if (status === 401) return new CommandFailed(`${message} The credential is that of ${where}.`, EXIT.refused, code);
  const faults = fields
    .filter((fault) => !message.endsWith(fault.message))
    .map((fault) => `\n  ${fault.field}: ${fault.message}`);
  // What a proxy or another program has answered is no refusal of the exchange.
  const isRefused = status < 500 && code !== 'UNKNOWN';
  return new CommandFailed(`${message}${faults.join('')}`, isRefused ? EXIT.refused : EXIT.unavailable, code);
}
