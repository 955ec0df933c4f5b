/** What a sample request says; '' is left out of it. */
export interface SampleRequest {
  readonly format: 'banner' | 'video' | 'audio' | 'native';
  readonly width: number | '';
  readonly height: number | '';
  readonly floor: number | '';
  readonly device: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly genre: string;
  readonly categories: readonly string[];
  readonly domain: string;
  readonly publisherId: string;
}

export const FIRST_REQUEST: SampleRequest = {
  format: 'banner',
  width: 300,
  height: 250,
  floor: '',
  device: '4',
  country: '',
  region: '',
  city: '',
  genre: '',
  categories: [],
  domain: '',
  publisherId: '',
};

/** OpenRTB's device types (AdCOM 1.0, list "Device Types"). */
export const DEVICES = [
  { value: '1', label: 'Mobile or tablet (1)' },
  { value: '2', label: 'Personal computer (2)' },
  { value: '3', label: 'Connected TV (3)' },
  { value: '4', label: 'Phone (4)' },
  { value: '5', label: 'Tablet (5)' },
  { value: '6', label: 'Connected device (6)' },
  { value: '7', label: 'Set-top box (7)' },
];

const SPOKEN = { protocols: [2, 3, 5, 6, 7, 8], minduration: 5, maxduration: 60 };
const NATIVE = JSON.stringify({ ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }] });

/** The sample as an OpenRTB 2.6 bid request. */
export function bidRequestOf(sample: SampleRequest): Record<string, unknown> {
  const { floor, device, country, region, city, genre, categories, domain } = sample;
  const cat = categories.length === 0 ? undefined : [...categories];
  return withoutNothing({
    id: 'simulation',
    imp: [withoutNothing({ id: '1', ...formatOf(sample), bidfloor: floor === '' ? undefined : floor })],
    site: withoutNothing({ domain, cat, content: withoutNothing({ genre, cat }) }),
    device: withoutNothing({
      devicetype: device === '' ? undefined : Number(device),
      geo: withoutNothing({ country, region, city }),
    }),
  });
}

function formatOf({ format, width, height }: SampleRequest): Record<string, unknown> {
  const size = withoutNothing({ w: width === '' ? undefined : width, h: height === '' ? undefined : height });
  switch (format) {
    case 'banner':
      return { banner: size };
    case 'video':
      return { video: { mimes: ['video/mp4'], ...SPOKEN, ...size } };
    case 'audio':
      return { audio: { mimes: ['audio/mpeg', 'audio/mp4'], ...SPOKEN } };
    case 'native':
      return { native: { request: NATIVE, ver: '1.2' } };
  }
}

function withoutNothing(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== ''));
}
