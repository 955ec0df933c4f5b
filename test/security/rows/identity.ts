import type { SecurityRows } from '../attack.ts';

const sessions = 'gateways/management/auth/sessions.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'types wrong passwords for a user from one network, to keep that user or everybody out',
      outcome:
        'ten of them for one email, fifty in all, are 429 for that network for 15 minutes; from elsewhere one logs in',
      file: sessions,
      title: 'lets no network lock a user out: ten failures are 429 for it, and logging in from elsewhere works',
    },
    {
      by: 'keyless caller',
      attack: 'guesses at one email from many networks',
      outcome: 'past 20 failures in 15 minutes each one is followed by a delay that doubles, from 1 s to 15 minutes',
      file: sessions,
      title: 'delays guesses at one email that come from many networks, twice as long each time',
    },
    {
      by: 'keyless caller',
      attack: 'keeps a user out by guessing at the email from everywhere',
      outcome: 'a browser in which the user has logged in before has a count of its own, of ten',
      file: sessions,
      title: 'lets a browser that is known log in while others guess at its email from everywhere',
    },
    {
      by: 'keyless caller',
      attack: 'uses up the anonymous rate of a balancer that TRUST_PROXY_HOPS does not count',
      outcome: 'callers are told apart by what the balancer appended, and the exchange warns once an hour',
      file: 'gateways/management/shell/rates.test.ts',
      title: 'lets one caller behind an unconfigured balancer use up its own share alone',
    },
    {
      by: 'publisher',
      attack: 'asks as often as it can with the key of one source, so that the whole account is 429',
      outcome:
        'past half of the limit what one source asks does not count for the account, and past the limit it is 429',
      file: 'gateways/management/shell/rates.test.ts',
      title: 'by the key of a source',
    },
    {
      by: 'co-located process',
      attack: 'sends made up X-Forwarded-For from a private address, each to have an anonymous rate of its own',
      outcome: 'twenty rates of one caller for all of them together',
      file: 'gateways/management/shell/rates.test.ts',
      title: 'bounds what one private address gets by making X-Forwarded-For up',
    },
    {
      by: 'keyless caller',
      attack: 'keeps a stolen session alive by using it every day',
      outcome:
        'it ends 30 days after logging in (SESSION_LIFETIME_DAYS), when its user ends it, or with a new password',
      file: sessions,
      title: 'end 30 days after logging in, however much they are used',
    },
    {
      by: 'publisher',
      attack:
        'logs in as one of a source’s own people and asks every route for what is the account’s, or another source’s',
      outcome: '403 from each that is not its own source’s or its own login’s',
      file: 'gateways/management/auth/source-users.test.ts',
      title: 'read what their source’s key reads, and nothing of the account',
    },
    {
      by: 'publisher',
      attack: 'opens a metrics WebSocket of the account with the session of one of its people',
      outcome: '403 before the upgrade',
      file: 'gateways/management/auth/source-users.test.ts',
      title: 'are refused by the metrics WebSocket with 403',
    },
    {
      by: 'keyless caller',
      attack:
        'accepts one invitation several times at the same moment, to be several users or to know another’s password',
      outcome:
        'one actor gives it to one of them; the others are answered 404 or 409, and their passwords log nobody in',
      file: 'gateways/management/auth/invitations.test.ts',
      title: 'are good once where several accept at the same moment, with their own passwords',
    },
    {
      by: 'keyless caller',
      attack: 'guesses links, or learns by the answers which invitations there were',
      outcome:
        '128 random bits; one answer for all that are no good; 429 past fifty in a quarter of an hour from one network',
      file: 'gateways/management/auth/invitations.test.ts',
      title: 'answer 429 past fifty links that are none from one network, and tell nothing of which is which',
    },
    {
      by: 'account key',
      attack: 'invites itself back before a member is disabled',
      outcome: 'the link is dead with the right of whoever made it',
      file: 'gateways/management/auth/invitations.test.ts',
      title: 'are void when the inviter may no longer invite, until a user who may renews them',
    },
    {
      by: "viewer's page",
      attack: 'has its visitor’s browser accept an invitation that the page chose, to be logged in as a user it knows',
      outcome: '403: changes that another site sends are refused before the token is looked at',
      file: 'gateways/management/auth/invitations.test.ts',
      title: 'are accepted on behalf of no other site',
    },
    {
      by: 'operator',
      attack: 'changes a fee, a key or a user and denies it, or hides it by killing the process right after',
      outcome: 'each change of every route leaves one entry, saved in the document of the change itself',
      file: 'gateways/management/audit-trail.test.ts',
      title: 'saves an entry in the document of the change, so that a process killed between the two loses nothing',
    },
    {
      by: 'operator',
      attack: 'reads secrets of others in the audit trail',
      outcome: 'secrets, users’ names and emails, and the queries of URLs are withheld',
      file: 'gateways/management/audit-trail.test.ts',
      title: 'holds no secret, whatever was changed',
    },
    {
      by: 'operator',
      attack: 'sends another text to an entry that is written',
      outcome: 'nothing changes: an entry is written once',
      file: 'gateways/management/audit-trail.test.ts',
      title: 'is written once: nothing that is sent to an entry changes it',
    },
  ],
};
