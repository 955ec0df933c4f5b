import type { SecurityRows } from '../attack.ts';

const file = 'gateways/management/auth/second-factor.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'logs in with a password that was stolen or guessed',
      outcome: '401 without a code of the second factor, where the user has one',
      file,
      title: 'is asked for at log-in once a code has confirmed it, and not before',
    },
    {
      by: 'keyless caller',
      attack: 'guesses codes for a user whose password is known',
      outcome: 'a wrong code counts like a wrong password: ten of one network for one email in 15 minutes',
      file,
      title: 'counts wrong codes like wrong passwords: past ten of one network nothing is right',
    },
    {
      by: 'keyless caller',
      attack: 'shows a code again that somebody was seen to type, or at the same moment at another process',
      outcome: 'the actor of the user takes each step once, and none before it; recovery codes go with their use',
      file,
      title: 'lets one of two processes alone take a code that both are shown at the same moment',
    },
    {
      by: 'keyless caller',
      attack: 'finds out by codes which emails are users, or which users have a second factor',
      outcome: 'one answer to every wrong password, whatever code comes with it',
      file,
      title: 'does not reveal without the password whether there is one, and uses no code up then',
    },
    {
      by: 'keyless caller',
      attack: 'keeps the owner of a stolen session out by setting up a second factor under it',
      outcome: 'setting one up takes the password; removing it takes the password and a code',
      file,
      title: 'is set up with the password, and not by a session alone',
    },
    {
      by: 'reader of a backup',
      attack: 'reads the secrets of second factors and the recovery codes in the store or the audit trail',
      outcome:
        'secrets are sealed (AES-256-GCM), recovery codes are SHA-256 of 80 random bits, the trail withholds both',
      file,
      title: 'is kept sealed and hashed, and leaves entries in the audit trail that show neither secret nor codes',
    },
  ],
};
