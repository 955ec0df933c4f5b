import { useSession } from '../../app/session/session.ts';

/** Who looks at creatives: an account, or the people of one of its sources. */
export type Reader = 'account' | 'publisher' | 'dsp';

export function useReader(): Reader {
  const { user, source } = useSession();
  return user.role === 'source' && source !== null ? source.type : 'account';
}

/** Where each reader's creatives are in the API. */
export const PATHS = {
  account: { list: '/api/creatives', one: '/api/creatives/{id}', preview: '/api/creatives/{id}/preview' },
  publisher: {
    list: '/api/source/creatives',
    one: '/api/source/creatives/{id}',
    preview: '/api/source/creatives/{id}/preview',
  },
  dsp: {
    list: '/api/demand/creatives',
    one: '/api/demand/creatives/{id}',
    preview: '/api/demand/creatives/{id}/preview',
  },
} as const;
