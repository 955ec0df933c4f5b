// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { substituteMacros } from '../../exchange/openrtb/macros.ts';
import { adsTxtSamples, readAdsTxt } from './readers/ads-txt.ts';
import { bidRequestSamples, readBidRequest } from './readers/bid-request.ts';
import { bidResponseSamples, readBidResponse } from './readers/bid-response.ts';
import { gppSamples, readConsent, tcSamples, usPrivacySamples } from './readers/consent.ts';
import { htmlSamples, readBannerMarkup } from './readers/html.ts';
import { httpAnswerSamples, readHttpAnswer } from './readers/http-answer.ts';
import { nativeSamples, readNative } from './readers/native.ts';
import { readStrategy, strategySamples } from './readers/strategy.ts';
import {
  cookieSamples,
  readCookie,
  readTrackingUrl,
  readUserAgent,
  trackingSamples,
  userAgents,
} from './readers/urls.ts';
import { readMarkup, vastSamples } from './readers/vast.ts';

/**
 * Something that reads what others wrote: texts that it knows, and what reads one. Whatever the text, it throws
 * nothing, and a promise is not rejected.
 */
export interface Reader {
  readonly samples: readonly string[];
  read(text: string): void | Promise<void>;
}

const macros = ['${AUCTION_ID}', '%24%7BAUCTION_PRICE%3AB64%7D', '${AUCTION_SEAT_ID:B64}', '${AUCTION_'];

/** By name, as `npm run fuzz:parsers -- --only <name>` takes it. */
export const READERS: Readonly<Record<string, Reader>> = {
  openrtb: { samples: bidRequestSamples, read: readBidRequest },
  'bid-response': { samples: bidResponseSamples, read: readBidResponse },
  'http-answer': { samples: httpAnswerSamples, read: readHttpAnswer },
  native: { samples: nativeSamples, read: readNative },
  vast: { samples: vastSamples, read: readMarkup },
  html: { samples: htmlSamples, read: readBannerMarkup },
  strategy: { samples: strategySamples, read: readStrategy },
  'ads-txt': { samples: adsTxtSamples, read: readAdsTxt },
  cookies: { samples: cookieSamples, read: readCookie },
  'tracking-urls': { samples: trackingSamples, read: readTrackingUrl },
  'tc-strings': { samples: tcSamples, read: readConsent },
  gpp: { samples: [...gppSamples, ...usPrivacySamples], read: readConsent },
  'user-agents': { samples: userAgents, read: readUserAgent },
  macros: {
    samples: macros,
    read: (text) => void substituteMacros(text, { auctionId: text.slice(0, 256), price: '1' }),
  },
};
