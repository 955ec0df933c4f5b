import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { deviceFamilyOf } from '#exchange/invalid-traffic/device-family';
import { type DeviceFacts, type ImpressionCall, invalidCallReason } from '#exchange/invalid-traffic/invalid-call';
import { userAgentKind } from '#exchange/invalid-traffic/user-agent-kind';

const FOLDER = 'test/exchange/invalid-traffic';

/**
 * Every JSON file under cases/ lists calls for impressions, as far as they differ from a viewer's, and what they come
 * to.
 */
interface Case {
  readonly description: string;
  readonly call: Partial<Omit<ImpressionCall, 'caller' | 'forwarded' | 'request'>> & {
    readonly caller?: Partial<DeviceFacts>;
    readonly forwarded?: Partial<DeviceFacts>;
    readonly request?: Partial<ImpressionCall['request']>;
  };
  readonly reason: string | null;
}

const DEVICE: DeviceFacts = {
  kind: 'device',
  isBot: false,
  isInDataCentre: false,
  family: null,
  country: null,
  isInNetwork: null,
};
const REQUEST = { hasDevice: true, isKeyed: false, isVerified: false, isTag: false, family: null, country: null };

function callOf({ caller, forwarded, request, ...rest }: Case['call']): ImpressionCall {
  return {
    ...{ declared: 'both', signed: 'client', sandbox: false, isBurst: false, behaviour: null },
    ...rest,
    caller: { ...DEVICE, ...caller },
    forwarded: forwarded === undefined ? null : { ...DEVICE, ...forwarded },
    request: request === null ? null : { ...REQUEST, ...request },
  };
}

describe('a call for an impression', () => {
  for (const file of readdirSync(`${FOLDER}/cases`)) {
    describe(`(${file.replace('.json', '')})`, () => {
      const cases: Case[] = JSON.parse(readFileSync(`${FOLDER}/cases/${file}`, 'utf8'));
      for (const { description, call, reason } of cases) {
        it(`is ${reason ?? 'valid'}: ${description}`, () => {
          expect(invalidCallReason(callOf(call))).to.equal(reason);
        });
      }
    });
  }
});

describe('a user agent', () => {
  const agents = JSON.parse(readFileSync(`${FOLDER}/user-agents.json`, 'utf8'));
  for (const { userAgent, kind, family } of agents) {
    it(`is a ${kind}'s, family ${family}: ${userAgent}`, () => {
      expect([userAgentKind(userAgent), deviceFamilyOf(userAgent)]).to.deep.equal([kind, family]);
    });
  }

  it('is judged in time linear in its length, and no further than its first 512 characters', () => {
    for (const unit of ['bot', 'cubot ', 'mac os', 'x11', '(', 'node']) {
      const long = unit.repeat(100_000);
      expect(userAgentKind(long)).to.equal(userAgentKind(long.slice(0, 512)));
      expect(deviceFamilyOf(long)).to.equal(deviceFamilyOf(long.slice(0, 512)));
    }
  });
});
