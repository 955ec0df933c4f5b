import type { Context } from 'koa';
import type { Browser } from '#edge/viewer/viewers';

export function browserOf({ req: { headers } }: Context): Browser {
  return { cookies: headers.cookie, globalPrivacyControl: headers['sec-gpc'] === '1' };
}
