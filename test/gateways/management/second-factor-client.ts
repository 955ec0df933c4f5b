import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import type { ManagementClient } from './management-client.ts';
import type { UserClient } from './running-management.ts';

export interface Enrolment {
  readonly secret: string;
  readonly otpauth_url: string;
  readonly recovery_codes: readonly string[];
}

/** What an authenticator app shows at that instant. */
export function codeAt(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

/** A second factor that waits for its first code. */
export async function enrol({ api, password }: Pick<UserClient, 'api' | 'password'>): Promise<Enrolment> {
  const { status, body } = await api.post('/api/auth/second-factor', { password });
  expect(status, JSON.stringify(body)).to.equal(201);
  return body;
}

/** A user with a confirmed second factor, and the client of the session that goes on. */
export async function guarded(
  user: UserClient,
  anonymous: ManagementClient,
  nowMs: () => number,
): Promise<{ readonly user: UserClient; readonly enrolment: Enrolment }> {
  const enrolment = await enrol(user);
  const answer = await user.api.post('/api/auth/second-factor/confirm', { code: codeAt(enrolment.secret, nowMs()) });
  expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  const cookie = answer.headers.getSetCookie()[0]!.split(';', 1)[0]!;
  return { user: { ...user, cookie, api: anonymous.as({ Cookie: cookie }) }, enrolment };
}
