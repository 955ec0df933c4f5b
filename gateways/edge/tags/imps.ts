import type { Imp } from '../../../exchange/openrtb/bid-request.ts';

export type TagFormat = 'banner' | 'video' | 'native';
export const TAG_FORMATS: readonly TagFormat[] = ['banner', 'video', 'native'];

const IMP_ID = '1';
/** Where the tag gives no size. */
const BANNER_SIZE = { w: 300, h: 250 };
const VIDEO_SIZE = { w: 1280, h: 720 };

/** VAST 2.0, 3.0, their wrappers, 4.0 and 4.2 with wrappers (AdCOM, List: Creative Subtypes - Audio/Video). */
const VAST_PROTOCOLS = [2, 3, 5, 6, 7, 8, 13, 14];

/** Title, main image, icon, sponsor, description and call to action, in the sizes of the creative specifications. */
const NATIVE_REQUEST = JSON.stringify({
  ver: '1.2',
  context: 1,
  plcmttype: 1,
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 1200, hmin: 627 } },
    { id: 3, required: 0, img: { type: 1, wmin: 80, hmin: 80 } },
    { id: 4, required: 0, data: { type: 1, len: 25 } },
    { id: 5, required: 0, data: { type: 2, len: 90 } },
    { id: 6, required: 0, data: { type: 12, len: 15 } },
  ],
  eventtrackers: [{ event: 1, methods: [1] }],
});

/** The imp of a tag; width and height have defaults each format's own. */
export function tagImp(format: TagFormat, w: number | undefined, h: number | undefined): Imp {
  switch (format) {
    case 'banner': {
      const size = { w: w ?? BANNER_SIZE.w, h: h ?? BANNER_SIZE.h };
      return { id: IMP_ID, banner: { ...size, format: [size] } };
    }
    case 'video':
      return {
        id: IMP_ID,
        video: {
          mimes: ['video/mp4'],
          w: w ?? VIDEO_SIZE.w,
          h: h ?? VIDEO_SIZE.h,
          protocols: VAST_PROTOCOLS,
          minduration: 1,
          maxduration: 60,
          linearity: 1,
        },
      };
    case 'native':
      return { id: IMP_ID, native: { request: NATIVE_REQUEST, ver: '1.2' } };
  }
}
