import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SecureContext } from 'node:tls';
import { bidderContext, certificatesIn } from '../gateways/bidders/tls/bidder-context.ts';
import { InvalidSettings, type Settings } from '../settings.ts';

type Given = Pick<Settings, 'bidderCaFile' | 'bidderCertificateFile' | 'bidderCertificateKey'>;

/**
 * Reads what bidders are trusted by and what they are shown; null when the settings name nothing, so that Node's own
 * defaults count.
 * @throws InvalidSettings for a file that cannot be read or has no certificate, and for a key of another certificate
 */
export async function readBidderContext(given: Given): Promise<SecureContext | null> {
  const { bidderCaFile, bidderCertificateFile, bidderCertificateKey } = given;
  if (bidderCaFile === null && bidderCertificateFile === null) return null;
  const authorities = bidderCaFile === null ? [] : await readCertificates('BIDDER_CA_FILE', bidderCaFile);
  const own =
    bidderCertificateFile === null
      ? null
      : {
          certificate: (await readCertificates('BIDDER_CERTIFICATE_FILE', bidderCertificateFile)).join('\n'),
          key: bidderCertificateKey!,
        };
  try {
    return bidderContext({ authorities, own });
  } catch (error) {
    // The message of OpenSSL says what is wrong, and nothing of the key.
    throw new InvalidSettings(
      `BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY cannot be used: ${(error as Error).message}`,
    );
  }
}

async function readCertificates(setting: string, path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings(`${setting} cannot be read: ${error.message}`);
  });
  const all = certificatesIn(text);
  if (all.length === 0) throw new InvalidSettings(`${setting}: ${path} has no certificate in PEM`);
  for (const [index, one] of all.entries()) {
    try {
      new X509Certificate(one);
    } catch {
      throw new InvalidSettings(`${setting}: certificate ${index + 1} of ${path} cannot be read`);
    }
  }
  return all;
}
