import type { Page } from 'playwright-core';

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

const FAULTS: Record<number, Fault> = {
  401: { code: 'UNAUTHORIZED', message: 'Log in first.' },
  403: { code: 'FORBIDDEN', message: 'This is not yours.' },
  404: { code: 'NOT_FOUND', message: 'There is nothing here.' },
  429: { code: 'RATE_LIMITED', message: 'Too many requests.', headers: { 'Retry-After': '1' } },
  503: { code: 'UNAVAILABLE', message: 'The store does not answer.', headers: { 'Retry-After': '1' } },
};

/**
 * From now on calls of the API that match `path` are answered with an error, whatever the exchange would have said;
 * `again()` lets them through once more. The session is not among them, unless `path` says so.
 */
export async function failWith(
  page: Page,
  status: keyof typeof FAULTS,
  path = /\/api\/(?!auth\/)/,
): Promise<{ again(): Promise<void> }> {
  const { code, message, headers = {} } = FAULTS[status]!;
  await page.route(path, (route) =>
    route.fulfill({
      status: Number(status),
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ error: { code, message, errors: [] } }),
    }),
  );
  return { again: () => page.unroute(path) };
}
