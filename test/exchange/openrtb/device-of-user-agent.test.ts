import { expect } from 'chai';
import { deviceOfUserAgent } from '#exchange/openrtb/device-of-user-agent';

/** What a user agent says of its device; on a source of televisions and on any other. */
const CASES: readonly (readonly [userAgent: string, devicetype: number | undefined, make?: string, os?: string])[] = [
  ['Roku/DVP-12.0 (12.0.0.4183-AE)', 3, 'Roku', 'Roku OS'],
  ['Mozilla/5.0 (Roku) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15', 3, 'Roku', 'Roku OS'],
  ['AppleTV11,1/11.1', 3, 'Apple', 'tvOS'],
  ['AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)', 3, 'Apple', 'tvOS'],
  ['MyApp/2.1 (tvOS 17.1; Scale/2.0)', 3, 'Apple', 'tvOS'],
  ['AppleCoreMedia/1.0.0.19G82 (iPhone; U; CPU OS 15_6_1 like Mac OS X; en_us)', 4, 'Apple', 'iOS'],
  ['AppleCoreMedia/1.0.0.19G82 (iPad; U; CPU OS 15_6_1 like Mac OS X; en_us)', 5, 'Apple'],
  [
    'Mozilla/5.0 (Linux; Android 9; AFTMM Build/PS7613; wv) AppleWebKit/537.36 Chrome/88.0 Mobile Safari/537.36',
    3,
    'Amazon',
    'Fire OS',
  ],
  ['Dalvik/2.1.0 (Linux; U; Android 9; AFTKA)', 3, 'Amazon', 'Fire OS'],
  ['Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 Version/7.0 TV Safari/537.36', 3, 'Samsung', 'Tizen'],
  ['Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/87.0.4280.88 Safari/537.36', 3, 'LG', 'webOS'],
  ['Mozilla/5.0 (Linux; Android 10; BRAVIA 4K VH2 Build/QTG3) AppleWebKit/537.36 Chrome/90 Safari/537.36', 3, 'Sony'],
  ['Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 Chrome/90 Safari/537.36 CrKey/1.54.250320', 3, 'Google'],
  ['Mozilla/5.0 (PlayStation 4 3.11) AppleWebKit/537.73 (KHTML, like Gecko)', 6],
  ['ExoPlayerLib/2.18.1', undefined],
  ['Lavf/58.76.100', undefined],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/124.0.0.0 Safari/537.36', undefined],
];

describe('the device that a user agent names', () => {
  for (const [userAgent, devicetype, make, os] of CASES) {
    it(`${userAgent.slice(0, 60)}: ${[devicetype, make, os].filter(Boolean).join(', ') || 'none'}`, () => {
      for (const onTelevision of [true, false]) {
        const said = deviceOfUserAgent(userAgent, onTelevision);
        expect([said?.devicetype, said?.make, said?.os]).to.deep.equal([devicetype, make, os]);
      }
    });
  }

  it('is a telephone by its browser alone, but not where televisions are: web views of their boxes say so too', () => {
    const userAgent = 'Mozilla/5.0 (Linux; Android 12; Pixel 6) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36';
    expect(deviceOfUserAgent(userAgent, false)).to.deep.equal({ devicetype: 4 });
    expect(deviceOfUserAgent(userAgent, true)).to.equal(null);
  });
});
