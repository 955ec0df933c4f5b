/**
 * The native request of `format=native` (OpenRTB Native 1.2 §4): title, main image, icon, sponsor, description and call
 * to action in the sizes of the creative specifications, and the optional assets there: rating, downloads and price.
 * For bidders that ask, the JS tag reports its impression, and that half of it was in view for a second.
 */
export const NATIVE_REQUEST = JSON.stringify({
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
    { id: 7, required: 0, data: { type: 3, len: 5 } },
    { id: 8, required: 0, data: { type: 5, len: 15 } },
    { id: 9, required: 0, data: { type: 6, len: 15 } },
  ],
  eventtrackers: [
    { event: 1, methods: [1] },
    { event: 2, methods: [1] },
  ],
});
