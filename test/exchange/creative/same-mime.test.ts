import { expect } from 'chai';
import { sameMime, takesMime } from '#exchange/creative/same-mime';

describe('exchange/creative/same-mime', () => {
  it('gives one name to all the names of a MIME type, without case and parameters', () => {
    expect(['audio/mp3', ' Audio/X-MP3 ', 'audio/mpeg; rate=44100'].map(sameMime)).to.deep.equal([
      'audio/mpeg',
      'audio/mpeg',
      'audio/mpeg',
    ]);
  });

  it('finds a type among those that are taken, by any name, or by its kind', () => {
    for (const [taken, type, expected] of [
      [['image/jpg'], 'image/jpeg', true],
      [['image/png', 'image/pjpeg'], 'image/jpeg', true],
      [['Video/*'], 'video/x-m4v', true],
      [['*/*'], 'audio/mpeg', true],
      [['video/*'], 'audio/mpeg', false],
      [['video/mp4'], 'video/webm', false],
      [[], 'video/mp4', false],
    ] as const) {
      expect(takesMime(taken, type), `${taken}: ${type}`).to.equal(expected);
    }
  });

  it('leaves a name that it does not know as it is, also that of a member of all objects', () => {
    for (const name of ['video/unheard-of', 'constructor', '__proto__', 'valueof']) {
      expect(sameMime(name)).to.equal(name);
    }
  });
});
