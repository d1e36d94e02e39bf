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
 * Tokens signed before `at` are invalid. A null `sid` ends all sessions of the account. A null `uid` means that Keycloak
 * named only the session. If both are null, all sessions of all accounts have ended.
 */
export const EndedSession = z.object({ uid: Uid.nullable(), sid: SessionId.nullable(), at: Timestamp });
export type EndedSession = z.infer<typeof EndedSession>;

const AccountMoment = z.object({ uid: Uid, at: Timestamp });

/** An active session in Keycloak. */
export const AccountSession = z
  .object({
    id: SessionId,
    startedAt: Timestamp,
    lastAccessAt: Timestamp,
    ipAddress: z.string().describe('The network address of the log-in. Empty if unknown.'),
    browser: z
      .string()
      .describe('Browser and system, such as "Chrome on Windows". Absent if unknown.')
      .optional(),
    current: z.boolean().describe('Whether the request belongs to this session.'),
  })
  .meta({ id: 'AccountSession' });
export type AccountSession = z.infer<typeof AccountSession>;

export const AccountSessionList = z
  .object({ items: z.array(AccountSession) })
  .meta({ id: 'AccountSessionList' });

const secondFactorKinds = ['authenticator', 'passkey', 'recovery_codes'] as const;

/** A second factor, which a log-in requires in addition to the password. */
export const SecondFactor = z
  .object({
    id: Id.describe("The sign-in server's id."),
    kind: z.enum(secondFactorKinds),
    name: z.string().describe("The owner's name for it. May be empty."),
    addedAt: Timestamp.nullable().describe('Null if the sign-in server does not know it.'),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof SecondFactor>;

export const SecondFactorList = z.object({ items: z.array(SecondFactor) }).meta({ id: 'SecondFactorList' });

/** The secret in the link of a mail about a change. */
export const UndoRequest = z
  .object({
    token: z
      .string()
      .regex(/^[\w-]{43}$/)
      .describe('The part of the link after the #.'),
  })
  .meta({ id: 'UndoRequest' });
export type UndoRequest = z.infer<typeof UndoRequest>;

export const DeletionRequest = z
  .object({ confirmation: z.literal(deletionPhrase).describe('The exact phrase, typed by the owner.') })
  .meta({ id: 'DeletionRequest' });
export type DeletionRequest = z.infer<typeof DeletionRequest>;

export const identity = contract('identity', {
  /**
   * Stores the account and the consent on the caller's first call. Later calls update the email address. The User-Agent
   * becomes the name of the session, and the profile's name the salutation of mails.
   */
  open: request({
    semantics: 'idempotent',
    input: z.object({
      userAgent: z.string().max(limits.userAgentLength).optional(),
      /** Absent if the creators service did not answer. */
      profile: z.object({ displayName: z.string(), version: Version }).optional(),
    }),
    output: Account,
  }),
  /** Lists the caller's sessions, the last used first. */
  listSessions: request({ semantics: 'safe', input: Nothing, output: AccountSessionList }),
  /** Ends one of the caller's sessions, which may be the current one. */
  endSession: request({ semantics: 'idempotent', input: z.object({ id: SessionId }), output: Nothing }),
  /** Ends all sessions of the caller, the current one included. */
  signOutEverywhere: request({ semantics: 'idempotent', input: Nothing, output: Nothing }),
  /** Lists the caller's second factors, oldest first. The owner removes one on a page of the sign-in server. */
  listSecondFactors: request({ semantics: 'safe', input: Nothing, output: SecondFactorList }),
  opened: event(AccountFacts),
  /**
   * Mails the link that confirms the caller's address; `rate_limited` within `limits.proofMailMinutes` of the last mail.
   * There is no retry: after a lost answer it is unknown whether the mail was sent.
   */
  sendProof: request({ input: Nothing, output: Nothing }),
  /**
   * Undoes a change of the address or the password by its mailed link. The account gets its previous address back, all
   * sessions end and the password is removed. `not_found` for a used link.
   */
  undoChange: request({ semantics: 'idempotent', input: UndoRequest, output: Nothing }),
  /** Lists the caller's changes of payment links in the last `limits.linkChangeDays` days, latest first. */
  listLinkChanges: request({ semantics: 'safe', input: Nothing, output: LinkChangeList }),
  /**
   * Restores the earlier payment links by the link of the mail about the change. It also undoes later changes of the same
   * page, and changes of other pages to the same new payee. `not_found` for a link that was used or is older than
   * `limits.linkUndoDays` days.
   */
  undoLinkChange: request({ semantics: 'idempotent', input: UndoRequest, output: UndoneLinkChange }),
  /** The owner has undone a change of links. The service restores these links. */
  linkChangeUndone: event(UndoneLinkChangeFacts),
  /**
   * Starts the deletion of the caller's account with all its data, and ends all sessions. `forbidden` without a log-in
   * within `limits.freshLoginMinutes`.
   */
  deleteAccount: request({ semantics: 'idempotent', input: DeletionRequest, output: Nothing }),
  /** All processes refuse the tokens of the session from now on, although the tokens expire minutes later. */
  sessionEnded: event(EndedSession),
  passwordChanged: event(AccountMoment),
  /** The owner of the address has opened the mailed link. A repeated event from Keycloak repeats it. */
  emailVerified: event(AccountMoment.extend({ email: z.string() })),
  /** The account is deleted in Keycloak. All services delete its data for good. */
  closed: event(AccountMoment),
});
