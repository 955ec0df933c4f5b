import { expect } from 'chai';
import { fieldsOf, tableOf } from '../../cli/table.ts';
import { inLines, inOneLine, oneLine } from '../../cli/terminal.ts';

describe('text of others on a terminal', () => {
  it('stays in its line, where it has one', () => {
    expect(inOneLine('a\u001b[2Jb\r\nc\td')).to.equal('a [2Jb  c d');
    expect(oneLine`Sold to ${'a\nb'} for ${1.5}`).to.equal('Sold to a b for 1.5');
  });

  it('keeps its lines and tabs, and nothing else that would move the cursor', () => {
    expect(inLines('a\r\nb\n\tc\rd\u001b]0;x\u0007\u009b1A')).to.equal('a\r\nb\n\tc d ]0;x  1A');
  });

  it('is no control in names of fields and columns either', () => {
    expect(fieldsOf({ 'a\u001b': 1, 'list\n': [{ 'x\r': '\u0085' }] })).to.equal('a   1\n\nlist :\nX\n\n');
    expect(tableOf(['a\n'], [['b\u007f']])).to.equal('A\nb\n');
  });
});
