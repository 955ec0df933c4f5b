import { type MediaOrigin, mediaFile, urlOf } from '../media-files.ts';
import type { Offer } from '../offer.ts';
import type { SyntheticBidder } from '../synthetic-bidders.ts';

interface AssetRequest {
  readonly id?: number;
  readonly title?: { readonly len?: number };
  readonly img?: {
    readonly type?: number;
    readonly w?: number;
    readonly h?: number;
    readonly wmin?: number;
    readonly hmin?: number;
  };
  readonly data?: { readonly type?: number; readonly len?: number };
}

/** Native 1.2 §7.3. */
const ICON = 1;
const LOGO = 2;

/** Texts by type of data asset (Native 1.2 §7.4); other types get the name. */
const DATA_ASSET_TEXTS: Readonly<Record<number, string>> = {
  2: 'What an ad looks like here, bought by nobody: a test of the sandbox.',
  3: '4.5',
  5: '1200',
  6: '$4.99',
  12: 'See how',
};

function cut(text: string, length?: number | null): string {
  return text.slice(0, length ?? 90);
}

/** Native 1.2 §5: every requested asset except video. Null when the request cannot be read. */
export function nativeMarkup(requestText: string, persona: SyntheticBidder, origin: MediaOrigin): Offer | null {
  let request: { native?: { assets?: AssetRequest[] }; assets?: AssetRequest[] };
  try {
    request = JSON.parse(requestText);
  } catch {
    return null;
  }
  const assets = (request.native ?? request).assets ?? [];
  const site = `https://${persona.path.slice(1)}.example`;
  const answers = assets.flatMap<object>(({ id, title, img, data }, index) => {
    const own = { id: id ?? index };
    if (title) return [{ ...own, title: { text: cut(`${persona.name} of the sandbox`, title.len) } }];
    if (img) {
      const isIcon = img.type === ICON || img.type === LOGO;
      const file = mediaFile(isIcon ? 'icon-80x80.png' : 'main-1200x627.png');
      const w = img.w ?? Math.max(img.wmin ?? 0, isIcon ? 80 : 1200);
      const h = img.h ?? Math.max(img.hmin ?? 0, isIcon ? 80 : 627);
      return [{ ...own, img: { url: urlOf(file, origin), w, h } }];
    }
    if (data) return [{ ...own, data: { value: cut(DATA_ASSET_TEXTS[data.type ?? 0] ?? persona.name, data.len) } }];
    return [];
  });
  if (answers.length === 0) return null;
  return { adm: JSON.stringify({ ver: '1.2', link: { url: `${site}/` }, assets: answers }), mtype: 4 };
}
