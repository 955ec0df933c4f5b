import type { Context } from 'koa';

/** What a browser says of itself, beside what is asked of us; a server says nothing. */
export interface Browser {
  readonly cookies: string | undefined;
  /** Global Privacy Control: `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
}

export function browserOf({ req: { headers } }: Context): Browser {
  return { cookies: headers.cookie, globalPrivacyControl: headers['sec-gpc'] === '1' };
}
