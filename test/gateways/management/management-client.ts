import { expect } from 'chai';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was answered
  readonly body: any;
}

export interface RequestOptions {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
}

export interface ManagementClient {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** The same client with other headers on every request. */
  as(headers: Record<string, string>): ManagementClient;
}

/** Speaks to a running management API; every answer is checked for what all answers must have. */
export function managementClient(baseUrl: string, common: Record<string, string> = {}): ManagementClient {
  const request = async (method: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
    const { body, raw } = options;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...common, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...options.headers },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    });
    const text = await response.text();
    const isTable = response.headers.get('content-type')?.startsWith('text/csv') ?? false;
    const parsed = text === '' ? null : isTable ? text : JSON.parse(text);
    const answer = { status: response.status, headers: response.headers, body: parsed };
    expect(answer.headers.get('x-request-id'), 'X-Request-Id').to.match(/^\S+$/);
    if (answer.status >= 400 && method !== 'HEAD') {
      expect(answer.body).to.have.all.keys('error');
      expect(answer.body.error).to.include.all.keys('code', 'message', 'request_id');
      expect(answer.body.error.request_id).to.equal(answer.headers.get('x-request-id'));
    }
    return answer;
  };
  return {
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { body, headers }),
    put: (path, body, headers = {}) => request('PUT', path, { body, headers }),
    delete: (path, headers = {}) => request('DELETE', path, { headers }),
    as: (headers) => managementClient(baseUrl, { ...common, ...headers }),
  };
}

/** Status and code of an error, for one comparison: `409 CONFLICT`, with the field where there is one. */
export function errorOf({ status, body }: Answer): string {
  const { code, field } = body?.error ?? {};
  return `${status} ${code}${field === undefined ? '' : ` ${field}`}`;
}

/** Of an error that names no `field`: what its message begins with. `502 BAD_GATEWAY creative.vast_url`. */
export function errorAbout({ status, body }: Answer): string {
  expect(body.error).not.to.have.property('field');
  return [status, body.error.code, body.error.message.split(' ', 1)[0]].join(' ');
}
