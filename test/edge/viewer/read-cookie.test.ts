import { expect } from 'chai';
import { readCookie } from '#edge/viewer/read-cookie';

describe('edge/viewer/read-cookie', () => {
  it('reads a value as it was sent', () => {
    expect(readCookie('a=1; b=%41=x; c=3', 'b')).to.equal('%41=x');
  });

  it('reads the first of a name, or the first that is well formed', () => {
    expect(readCookie('a=1; a=22', 'a')).to.equal('1');
    expect(readCookie('a=1; a=22', 'a', (value) => value.length === 2)).to.equal('22');
    expect(readCookie('a=1', 'a', (value) => value.length === 2)).to.equal(undefined);
  });

  it('finds nothing where there is none of the name', () => {
    for (const header of [undefined, '', 'ab=1', 'b=a', 'a']) expect(readCookie(header, 'a')).to.equal(undefined);
  });
});
