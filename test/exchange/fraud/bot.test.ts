import { expect } from 'chai';
import { AUTOMATION_KNOWN, AUTOMATION_NAMED, isBotUserAgent, isHeadless } from '#exchange/fraud/bot';

const VIEWERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36',
  'Roku/DVP-9.10 (519.10E04111A)',
  'AppleCoreMedia/1.0.0.16E227 (iPhone; U; CPU OS 12_2 like Mac OS X; en_us)',
  'Dalvik/2.1.0 (Linux; U; Android 9; SM-G950F)',
];
/** Of native players, which a browser's rules take for programs. */
const PLAYERS = [
  'ExoPlayerLib/2.18.1',
  'com.example.news/4.2 (Linux;Android 12) ExoPlayerLib/2.18.1',
  'Evening News/4.1 CFNetwork/1125.2 Darwin/19.4.0',
  'SpiderSolitaire/5.2 CFNetwork/1410.0.3 Darwin/22.6.0',
  'Dungeon Crawler/7.1 (Linux;Android 13) ExoPlayerLib/2.18.1',
  'okhttp/4.9.0',
  'AndroidTV',
];
/** Of televisions, of players and of servers that stitch ads into streams: what they are on websites too. */
const STREAMING = [
  'Roku4640X/DVP-7.70 (297.70E04154A)',
  'AppleTV11,1/11.1',
  'AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)',
  'MyApp/2.1 (tvOS 17.1; AppleTV14,1; Scale/2.0)',
  'Dalvik/2.1.0 (Linux; U; Android 9; AFTMM Build/PS7613)',
  'Mozilla/5.0 (SMART-TV; LINUX; Tizen 5.5) AppleWebKit/537.36 (KHTML, like Gecko) 69.0.3497.106.1/5.5 TV Safari/537.36',
  'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.88 Safari/537.36 WebAppManager',
  'ExoPlayerLib/2.18.1',
  'AndroidXMedia3/1.2.0',
  'GStreamer souphttpsrc 1.20.3 libsoup/2.74.2',
  'VLC/3.0.18 LibVLC/3.0.18',
  'Lavf/58.76.100',
  'Lavf53.32.100',
];
const BOTS = [
  'Lavf/58.76.100 (compatible; adbot/1.0)',
  'Roku crawler/1.0',
  'curl/8.5.0',
  'Wget/1.21',
  'python-requests/2.31.0',
  'Go-http-client/1.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
];

describe('bots by their user agent', () => {
  for (const ua of VIEWERS) {
    it(`${ua.slice(0, 40)} is a viewer’s`, () => {
      expect([isBotUserAgent(ua, false), isBotUserAgent(ua, true)]).to.deep.equal([false, false]);
    });
  }
  for (const ua of PLAYERS)
    it(`${ua} is a viewer’s, in an app`, () => expect(isBotUserAgent(ua, true)).to.equal(false));
  for (const ua of STREAMING) {
    it(`${ua.slice(0, 40)} is what plays a stream, on a website as in an app`, () => {
      expect([isBotUserAgent(ua, false), isBotUserAgent(ua, true)]).to.deep.equal([false, false]);
    });
  }
  for (const ua of BOTS) {
    it(`${ua.slice(0, 40)} is a bot’s, in an app too`, () => {
      expect([isBotUserAgent(ua, false), isBotUserAgent(ua, true)]).to.deep.equal([true, true]);
    });
  }
  it('takes no time over what is longer than any user agent', () => {
    const began = process.cpuUsage();
    for (const part of ['a', 'a/1.', ' (;', '%', '\\', 'http ']) isBotUserAgent(part.repeat(200_000), false);
    expect(process.cpuUsage(began).user / 1_000, 'ms of the processor').to.be.below(1_000);
  });
  it('knows what of the list holds in apps by the names that the list has', () => {
    expect(AUTOMATION_KNOWN).to.have.length(AUTOMATION_NAMED);
  });
  it('reads client hints, in whatever shape', () => {
    const brands = (...names: unknown[]) => ({ sua: { browsers: names.map((brand) => ({ brand })) } });
    expect(isHeadless(brands('Not/A)Brand', 'HeadlessChrome'))).to.equal(true);
    expect(isHeadless(brands('Not/A)Brand', 'Chromium', 'Google Chrome'))).to.equal(false);
    for (const sua of [{}, { browsers: 'no' }, { browsers: [null, 7, {}] }])
      expect(isHeadless({ sua })).to.equal(false);
  });
});
