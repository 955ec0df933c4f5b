import type { Offer } from '../offer.ts';
import type { Persona } from '../personas.ts';

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

/** Native 1.2 §5: every asset that was asked for, except video. Null when the request cannot be read. */
export function nativeMarkup(requestText: string, persona: Persona): Offer | null {
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
    if (title) return [{ ...own, title: { text: persona.name.slice(0, title.len ?? 90) } }];
    if (img) {
      const w = img.w ?? img.wmin ?? (img.type === 1 ? 80 : 1200);
      const h = img.h ?? img.hmin ?? (img.type === 1 ? 80 : 627);
      return [{ ...own, img: { url: `${site}/${w}x${h}.png`, w, h } }];
    }
    if (data) return [{ ...own, data: { value: persona.name.slice(0, data.len ?? 90) } }];
    return [];
  });
  if (answers.length === 0) return null;
  return { adm: JSON.stringify({ ver: '1.2', link: { url: `${site}/` }, assets: answers }), mtype: 4 };
}
