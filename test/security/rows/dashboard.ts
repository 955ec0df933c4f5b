import type { SecurityRows } from '../attack.ts';

const PREVIEWS = 'gateways/management/creative-preview.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'delegate',
      attack: 'saves a creative whose script reaches for the page and the session of the operator who previews it',
      outcome:
        'it runs in an origin of its own, in the frame and when its address is opened by itself, and reaches nothing',
      file: PREVIEWS,
      title: "give an HTML5 ad's markup as it is, in a document of its own origin alone",
    },
    {
      by: 'delegate',
      attack: 'writes markup into the title, the text and the id of a native ad that others preview',
      outcome: 'text is text',
      file: PREVIEWS,
      title: 'are documents that reach nothing of their viewer, and text in them is text',
    },
    {
      by: 'delegate',
      attack: 'has its own ad previewed again and again, for its trackers to be called',
      outcome: 'a preview calls no tracker of the campaign or of its VAST document',
      file: PREVIEWS,
      title: 'show a video with all its renditions, and call none of its trackers',
    },
    {
      by: 'keyless caller',
      attack: 'sends an operator a link to the log-in that leads to another site afterwards',
      outcome: 'what is no path of the dashboard is left out of the address',
      file: 'dashboard/session.test.ts',
      title: 'has a page to itself whatever address of another site is given as the next',
    },
    {
      by: 'publisher',
      attack: 'has the people of its source open pages and calls of another source in the dashboard',
      outcome: 'the pages say that they are not theirs, and the API answers 403 or 404',
      file: 'dashboard/access.test.ts',
      title: 'keeps the source of one from the people of the other',
    },
  ],
};
