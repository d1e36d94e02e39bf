import { z } from 'zod';
import { contract, event, request } from './contract.ts';
import { deletionPhrase } from './facts.ts';
import { Id, Nothing, SessionId, Timestamp, Uid, Version } from './fields.ts';
import { limits } from './limits.ts';
import { LinkChangeList, UndoneLinkChange, UndoneLinkChangeFacts } from './link-changes.ts';

export const Account = z
  .object({
    uid: Uid,
    username: z.string(),
    email: z.string(),
    termsAcceptedAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const AccountFacts = z.object({ uid: Uid });
export type AccountFacts = z.infer<typeof AccountFacts>;

/**
 * What was signed before `at` no longer counts. A null `sid` means every session of the account. A null `uid` means that
 * Keycloak named the session alone, or, where that is null too, that everybody's ended.
 */
export const EndedSession = z.object({ uid: Uid.nullable(), sid: SessionId.nullable(), at: Timestamp });
export type EndedSession = z.infer<typeof EndedSession>;

const AccountMoment = z.object({ uid: Uid, at: Timestamp });

/** A sign-in that goes on, as Keycloak knows it. */
export const AccountSession = z
  .object({
    id: SessionId,
    startedAt: Timestamp,
    lastAccessAt: Timestamp,
    ipAddress: z.string().describe('The network address it began from; empty where that is not known.'),
    browser: z
      .string()
      .describe('Which browser on which system, as in "Chrome on Windows"; absent where that is not known.')
      .optional(),
    current: z.boolean().describe('Whether it is the one that asks.'),
  })
  .meta({ id: 'AccountSession' });
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountSessionList = z
  .object({ items: z.array(AccountSession) })
  .meta({ id: 'AccountSessionList' });

const secondFactorKinds = ['authenticator', 'passkey', 'recovery_codes'] as const;

/** What is asked for at each log-in beside the password. */
export const SecondFactor = z
  .object({
    id: Id.describe('What the sign-in server calls it.'),
    kind: z.enum(secondFactorKinds),
    name: z.string().describe('As its owner called it; may be empty.'),
    addedAt: Timestamp.nullable().describe('Null where the sign-in server does not know it.'),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof SecondFactor>;

export const SecondFactorList = z.object({ items: z.array(SecondFactor) }).meta({ id: 'SecondFactorList' });

/** What stands in the link of a mail about a change. */
export const UndoRequest = z
  .object({
    token: z
      .string()
      .regex(/^[\w-]{43}$/)
      .describe('What stands behind the # in the link.'),
  })
  .meta({ id: 'UndoRequest' });
export type UndoRequest = z.infer<typeof UndoRequest>;

export const DeletionRequest = z
  .object({ confirmation: z.literal(deletionPhrase).describe('Typed by the owner, word for word.') })
  .meta({ id: 'DeletionRequest' });
export type DeletionRequest = z.infer<typeof DeletionRequest>;

export const identity = contract('identity', {
  /**
   * Records the caller's account and consent on their first call, and follows later changes of the e-mail address. The session
   * of the caller is named by the User-Agent of its browser. Mails greet the caller by the profile's name.
   */
  open: request({
    semantics: 'idempotent',
    input: z.object({
      userAgent: z.string().max(limits.userAgentLength).optional(),
      /** Absent where creators did not answer, and from a gateway of the release before. */
      profile: z.object({ displayName: z.string(), version: Version }).optional(),
    }),
    output: Account,
  }),
  /** The caller's sessions, the latest used first. */
  listSessions: request({ semantics: 'safe', input: Nothing, output: AccountSessionList }),
  /** Ends one of the caller's sessions, also the one that asks. */
  endSession: request({ semantics: 'idempotent', input: z.object({ id: SessionId }), output: Nothing }),
  /** Ends every session of the caller, the one that asks among them. */
  signOutEverywhere: request({ semantics: 'idempotent', input: Nothing, output: Nothing }),
  /** What the caller logs in with beside the password, the oldest first. Each is removed on the sign-in server's own page. */
  listSecondFactors: request({ semantics: 'safe', input: Nothing, output: SecondFactorList }),
  opened: event(AccountFacts),
  /**
   * Mails the caller the link that proves their address; `rate_limited` while the last one is fresh. Not asked again after a
   * loss: nobody knows whether the mail has left, and whoever asks anew is told when there may be another.
   */
  sendProof: request({ input: Nothing, output: Nothing }),
  /**
   * Takes a change of the address or the password back, by the link that was mailed about it: the account belongs to the
   * address before it again, every session ends and the password no longer works. `not_found` for a link that was used.
   */
  undoChange: request({ semantics: 'idempotent', input: UndoRequest, output: Nothing }),
  /** The caller's changes of links for payments of `limits.linkChangeDays`, the latest first. */
  listLinkChanges: request({ semantics: 'safe', input: Nothing, output: LinkChangeList }),
  /**
   * Has the links of before put back, by the link that was mailed about the change. With it every later change of the same
   * page is over, and every change that led another page to the same new payee. `not_found` for a link that was used or is older than `limits.linkUndoDays`.
   */
  undoLinkChange: request({ semantics: 'idempotent', input: UndoRequest, output: UndoneLinkChange }),
  /** A change of links was taken back: these are to be there again. */
  linkChangeUndone: event(UndoneLinkChangeFacts),
  /**
   * Deletes the caller's account and all that belongs to it. Accepted once for an account, and every session ends;
   * `forbidden` where the caller has not logged in within `limits.freshLoginMinutes`.
   */
  deleteAccount: request({ semantics: 'idempotent', input: DeletionRequest, output: Nothing }),
  /** Tokens of the session are refused from now on, though Keycloak signed them for minutes more. */
  sessionEnded: event(EndedSession),
  passwordChanged: event(AccountMoment),
  /** The address is proved to belong to the account. Said again when Keycloak only repeats it. */
  emailVerified: event(AccountMoment.extend({ email: z.string() })),
  /** The account is gone from Keycloak: what belongs to it goes, and never comes back. */
  closed: event(AccountMoment),
});
