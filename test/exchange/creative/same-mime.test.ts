import { expect } from 'chai';
import { sameMime } from '#exchange/creative/same-mime';

describe('exchange/creative/same-mime', () => {
  it('gives one name to all the names of a MIME type, without case and parameters', () => {
    expect(['audio/mp3', ' Audio/X-MP3 ', 'audio/mpeg; rate=44100'].map(sameMime)).to.deep.equal([
      'audio/mpeg',
      'audio/mpeg',
      'audio/mpeg',
    ]);
  });

  it('leaves a name that it does not know as it is, also that of a member of all objects', () => {
    for (const name of ['video/unheard-of', 'constructor', '__proto__', 'valueof']) {
      expect(sameMime(name)).to.equal(name);
    }
  });
});
