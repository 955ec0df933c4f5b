import { readGpp } from '#exchange/consent/gpp';
import { readTcString } from '#exchange/consent/tc-string';
import { truncateAddress } from '#exchange/consent/truncate-address';
import { optsOutOfSale } from '#exchange/consent/us-privacy';
import { fullConsent, tcString } from '../../support/consent-strings.ts';

export const tcSamples = [
  fullConsent(42),
  fullConsent(1, 42, 700),
  tcString({ vendors: [42], purposes: [1], restricted: [{ vendor: 42, purpose: 2, type: 0 }] }),
];
export const gppSamples = [
  'DBABMA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA',
  'DBABrw~1YNN~BVQqAAAAAgA',
  'DBACNY~1YYN',
  'DBABLA~',
];
export const usPrivacySamples = ['1YNN', '1---', '::ffff:203.0.113.7', '2001:db8::1'];

const OURS = 42;

export function readConsent(text: string): void {
  readTcString(text, OURS);
  readGpp(text);
  optsOutOfSale(text);
  truncateAddress(text);
}
