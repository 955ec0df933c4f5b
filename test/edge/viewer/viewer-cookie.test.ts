import { expect } from 'chai';
import fc from 'fast-check';
import {
  isUid,
  readViewerCookie,
  unexpiredMatches,
  type ViewerCookie,
  withMatch,
  writeOptOut,
  writeViewerCookie,
} from '#edge/viewer/viewer-cookie';

const NOW_MS = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const FRESH: ViewerCookie = { userId: 'abcdefghijklmnopqrstuv', optedOut: false, matches: [] };
const header = (cookie: ViewerCookie) => writeViewerCookie(cookie, true).split(';')[0];
const keyOf = (index: number) => `key${String(index).padStart(5, '0')}`;

describe('the viewer cookie', () => {
  it('is read as it was written, whatever ids buyers have', () => {
    const uid = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 60 }).filter(isUid);
    fc.assert(
      fc.property(fc.array(uid, { maxLength: 20 }), (uids) => {
        let cookie = FRESH;
        uids.forEach((each, index) => {
          cookie = withMatch(cookie, keyOf(index), each, NOW_MS);
        });
        expect(readViewerCookie(`a=b; ${header(cookie)}`)).to.deep.equal(cookie);
      }),
    );
  });

  it('is one that no browser refuses, and loses the oldest matches first', () => {
    let cookie = FRESH;
    for (let index = 0; index < 200; index++) cookie = withMatch(cookie, keyOf(index), `${index}:`.repeat(20), NOW_MS);
    const written = writeViewerCookie(cookie, true);
    expect(written.length).to.be.below(4_096);
    const { matches } = readViewerCookie(header(cookie));
    expect(matches.length).to.be.above(10);
    expect(matches.at(-1)?.partnerKey).to.equal(keyOf(199));
    expect(matches[0]?.partnerKey).to.equal(keyOf(200 - matches.length));
  });

  it('has one match for a partner, the last; an empty one takes it out', () => {
    const twice = withMatch(withMatch(FRESH, keyOf(1), 'old', NOW_MS), keyOf(1), 'new', NOW_MS);
    expect(twice.matches.map(({ uid }) => uid)).to.deep.equal(['new']);
    expect(withMatch(twice, keyOf(1), '', NOW_MS).matches).to.deep.equal([]);
  });

  it('lets matches expire', () => {
    const cookie = withMatch(FRESH, keyOf(1), 'uid', NOW_MS);
    expect(unexpiredMatches(cookie, NOW_MS + 29 * DAY_MS)).to.have.length(1);
    expect(unexpiredMatches(cookie, NOW_MS + 31 * DAY_MS)).to.have.length(0);
  });

  it('goes with frames of other sites over https, and without TLS to the edge’s own pages', () => {
    expect(writeViewerCookie(FRESH, true))
      .to.match(/HttpOnly; Secure; SameSite=None/)
      .and.contain('Path=/');
    expect(writeViewerCookie(FRESH, false))
      .to.match(/HttpOnly; SameSite=Lax/)
      .and.not.contain('Secure');
  });

  it('remembers nothing but the opt-out once opted out', () => {
    const cookie = { userId: null, optedOut: true, matches: [] };
    expect(header(cookie)).to.equal('viewer=optout');
    expect(readViewerCookie(header(cookie))).to.deep.equal(cookie);
  });

  it('is not read beside an opt-out, whatever a late answer has written', () => {
    const [lasting, forgetting] = writeOptOut(true).map((each) => each.split(';')[0]!);
    const late = header(withMatch(FRESH, keyOf(1), 'late', NOW_MS));
    const optedOut = { userId: null, optedOut: true, matches: [] };
    for (const cookies of [lasting, forgetting, `${late}; ${lasting}`, `${lasting}; ${late}`]) {
      expect(readViewerCookie(cookies), cookies).to.deep.equal(optedOut);
    }
    expect(writeOptOut(true).every((each) => /Max-Age=34560000;.*HttpOnly; Secure; SameSite=None/.test(each))).to.equal(
      true,
    );
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: macros that were not replaced
  for (const text of ['', 'ü', 'a b', 'a\n', '${UID}', '$UID'.replace('U', '{U'), '[UID]', '{UID}', 'x'.repeat(257)]) {
    it(`takes ${JSON.stringify(text.slice(0, 20))} for no id`, () => expect(isUid(text)).to.equal(false));
  }
});
