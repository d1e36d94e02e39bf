import {
  type BrowseQuery,
  type Caller,
  type Creator,
  type CreatorName,
  type CreatorPage,
  firstCharacters,
  hasFreshLogin,
  isPublicHost,
  limits,
  type Mailbox,
  NewUsername,
  type PayeeFacts,
  type ProfileChanges,
  type ProfileEntry,
  type PublicCreator,
  publicName,
  type PublicTallies,
  type PublicTally,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { type Call, freshLoginRequired, invalidInput, Refusal } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable, Logger } from '@nestjs/common';
import { CreatorsConfig } from '../creators.config.ts';
import { CreatorsRepository, type StoredCreator } from './creators.repository.ts';
import { OfferingCounts } from '../directory/offering-counts.repository.ts';
import { Payees } from '../payments/payees.repository.ts';
import { PublicCreatorsRepository } from '../directory/public-creators.repository.ts';
import { ReservedUsernames } from './reserved-usernames.repository.ts';
import { type OfferingTitle, Titles } from '../directory/titles.repository.ts';

@Injectable()
export class CreatorsService {
  private readonly logger = new Logger(CreatorsService.name);

  constructor(
    private readonly creators: CreatorsRepository,
    private readonly visible: PublicCreatorsRepository,
    private readonly reserved: ReservedUsernames,
    private readonly payees: Payees,
    private readonly counts: OfferingCounts,
    private readonly titles: Titles,
    private readonly config: CreatorsConfig,
  ) {}

  async open({ caller, requestId }: Call): Promise<{ creator: Creator; isNew: boolean }> {
    const username = caller.username.toLowerCase();
    // An existing account keeps its username, even if a later release reserves this name.
    if (!NewUsername.safeParse(username).success && !(await this.creators.find({ uid: caller.uid })))
      throw usernameRefused();
    // Keycloak accepts display names that are invalid here.
    const displayName = publicName(limits.displayNameLength).safeParse(caller.displayName);
    const account = {
      uid: caller.uid,
      username,
      email: caller.email.toLowerCase(),
      emailVerified: caller.emailVerified,
      claimsIssuedAt: caller.tokenIssuedAt,
      displayName: displayName.data ?? '',
    };
    const opened = await this.creators.open(account, requestId);
    if (opened === 'closed') throw new Refusal('forbidden', 'This account is closed.');
    if (opened === 'reserved') throw usernameRefused();
    if (!opened) throw new Refusal('conflict', 'This username belongs to somebody else.');
    const isNew = opened.isNew || (await this.creators.isDone(requestId));
    return { creator: this.#own(opened.creator), isNew };
  }

  async readOwn(caller: Caller): Promise<Creator> {
    return this.#own(found(await this.creators.find({ uid: caller.uid })));
  }

  async update(changes: ProfileChanges, { caller, requestId }: Call): Promise<Creator> {
    const inside = this.config.ALLOW_PRIVATE_LINKS ? [] : privateLinks(changes);
    if (inside.length > 0) throw invalidInput(inside);
    // Without a recent log-in, a stranger in an open session could redirect payments.
    const may = { mayMovePayments: hasFreshLogin(caller) };
    const changed = await this.creators.update(caller.uid, changes, { ...may, requestId });
    if (changed && 'moved' in changed) throw freshLoginRequired(changed.moved);
    if (!changed && changes.editedVersion !== undefined && (await this.creators.find({ uid: caller.uid })))
      throw new Refusal('precondition_failed', 'The profile was changed meanwhile.');
    return this.#own(found(changed));
  }

  async find(username: string): Promise<PublicCreator> {
    const [creator] = await this.visible.findMany([username.toLowerCase()]);
    return found(creator);
  }

  async findMany(usernames: readonly string[]): Promise<{ items: PublicCreator[] }> {
    return { items: await this.visible.findMany(usernames.map((username) => username.toLowerCase())) };
  }

  /** Whether the username belonged to an account that is closed now. */
  async checkUsername(username: string): Promise<{ isReserved: boolean }> {
    return { isReserved: await this.reserved.has(username.toLowerCase()) };
  }

  async findName(uid: string): Promise<CreatorName> {
    const creator = found(await this.creators.find({ uid }));
    if (!this.creators.isPublic(creator)) throw notFound();
    return creator;
  }

  async findMailbox(username: string): Promise<Mailbox> {
    const creator = found(await this.creators.find({ username: username.toLowerCase() }));
    if (!this.creators.isPublic(creator)) throw notFound();
    if (creator.contactBy !== 'form')
      throw new Refusal('conflict', 'This creator takes mail at their own address.');
    return creator;
  }

  async browse(query: BrowseQuery): Promise<CreatorPage> {
    const { items, ...page } = await this.visible.browse(query);
    const cards = items.map(({ bio, ...creator }) => ({
      ...creator,
      bioPreview: firstCharacters(bio, limits.bioPreviewLength),
    }));
    return { ...page, items: cards };
  }

  async listProfiles(after?: string): Promise<{ items: ProfileEntry[] }> {
    return { items: await this.visible.listProfiles(after) };
  }

  async surveyProfiles(): Promise<{ positions: string[] }> {
    return { positions: await this.visible.surveyProfiles() };
  }

  close(uid: string, at: string, eventId: string): Promise<void> {
    return this.creators.close(uid, at, eventId);
  }

  undoLinkChange(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    return this.creators.undoLinkChange(undone, eventId);
  }

  notePayee(payee: PayeeFacts): Promise<void> {
    return this.payees.note(payee);
  }

  verifyEmail(uid: string, email: string, at: string): Promise<void> {
    return this.creators.verifyEmail(uid, email.toLowerCase(), at);
  }

  /** `tally` is missing if the event does not change the number of public offerings. */
  async storeCount(creatorId: string, tally: PublicTally | undefined, eventId: string): Promise<void> {
    if (tally) await this.counts.store(creatorId, tally, eventId);
  }

  async correctCounts(page: PublicTallies, eventId: string): Promise<void> {
    const corrected = await this.counts.correct(page, eventId);
    for (const uid of corrected) {
      count(metrics.countsMended);
      this.logger.warn(`corrected a wrong offering count of creator ${uid}`);
    }
  }

  storeTitle(title: OfferingTitle): Promise<void> {
    return this.titles.upsert(title);
  }

  #own(creator: StoredCreator): Creator {
    return { ...creator, isPublic: this.creators.isPublic(creator) };
  }
}

/** Links to private hosts. Social links are missing, because they can only lead to their networks. */
function privateLinks({ paygates, links = [] }: ProfileChanges) {
  return Object.entries({ paygates, links })
    .flatMap(([field, list]) => list.map(({ url }, index) => ({ path: [field, index, 'url'], url })))
    .filter(({ url }) => !isPublicHost(url))
    .map(({ path }) => ({ path, message: 'Enter a link that everybody can open.' }));
}

const usernameRefused = (): Refusal =>
  invalidInput([{ path: ['username'], message: 'This username cannot be used.' }]);

function found<C>(creator: C | null | undefined): C {
  if (!creator) throw notFound();
  return creator;
}

function notFound(): Refusal {
  return new Refusal('not_found', 'Creator not found.');
}
