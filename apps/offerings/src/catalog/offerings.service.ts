import {
  type Caller,
  type DeliveredFile,
  type Delivery,
  delivers,
  type FileChange,
  hasFreshLogin,
  type Input,
  isPublicHost,
  isPublicState,
  limits,
  type NewOffering,
  type Offering,
  type OfferingChanges,
  type OfferingEntry,
  type OfferingList,
  type OfferingOrder,
  type offerings,
  type PayeeFacts,
  type PublicOffering,
  type PublicOfferingList,
  type ReviewFacts,
  type UndoneLinkChangeFacts,
} from '@stoa/contracts';
import { type Call, freshLoginRequired, invalidInput, Refusal, withCurrentReads } from '@stoa/messaging';
import { count, metrics } from '@stoa/telemetry';
import { Injectable } from '@nestjs/common';
import { applyFileChanges } from '../delivery/delivered-files.ts';
import { duplicateTitle } from './duplicate-title.ts';
import { newDeliveryKey, keyMatches } from '../delivery/delivery-key.ts';
import { duplicatedFields, maxJsonBytes, reviewedContent } from './offering-fields.ts';
import { OfferingsConfig } from '../offerings.config.ts';
import { type OwnedDraft, OfferingsRepository } from './offerings.repository.ts';
import { Payees } from '../payments/payees.repository.ts';
import { ProfileTakedowns } from './profile-takedowns.repository.ts';
import { SalesService } from '../sales/sales.service.ts';
import { PublicOfferingsRepository, type ThumbnailList } from '../public/public-offerings.repository.ts';
import { workshopColumns } from '../rows/workshop.ts';

type Changes = Pick<OfferingChanges, 'state' | 'coverImage'>;
type Links = Pick<NewOffering, 'paymentUrl' | 'productUrl' | 'deliveryUrl'>;
type DownloadInput = Input<typeof offerings.download>;

/** The largest answer in bytes. A NATS message may have 8 MB, and a single list has up to 2.5 MB. */
const maxAnswerBytes = 6_000_000;

@Injectable()
export class OfferingsService {
  constructor(
    private readonly offerings: OfferingsRepository,
    private readonly visible: PublicOfferingsRepository,
    private readonly payees: Payees,
    private readonly takedowns: ProfileTakedowns,
    private readonly sales: SalesService,
    private readonly config: OfferingsConfig,
  ) {}

  async create({ schedule, seats, ...draft }: NewOffering, caller: Caller): Promise<Offering> {
    this.refusePrivateLinks(draft);
    refuseTooMuch([], draft.files);
    const workshop = workshopColumns({ type: draft.type, schedule, seats });
    const owned = { ...draft, ...workshop, creatorId: caller.uid, deliveryKey: newDeliveryKey() };
    const { offering, isNew } = await this.insert(owned, caller);
    if (isNew) countPublication(null, offering);
    return offering;
  }

  async duplicate(id: string, duplicateId: string, caller: Caller): Promise<Offering> {
    const own = await this.ownedBy(caller, id);
    // Publishing the copy would bypass the operator's decision.
    if (own.takenDown) throw new Refusal('conflict', 'Stoa has hidden this offering.');
    const { title, coverImage, ...fields } = duplicatedFields(own);
    const words = { ...fields, title: duplicateTitle(title), coverImage: coverImage ?? undefined };
    const identity = { id: duplicateId, creatorId: caller.uid, deliveryKey: newDeliveryKey() };
    return (await this.insert({ ...words, ...identity, state: 'draft' }, caller)).offering;
  }

  async update(
    { id, schedule, seats, ...words }: OfferingChanges,
    { caller, requestId }: Call,
  ): Promise<Offering> {
    const own = await this.ownedBy(caller, id);
    const changes = { ...words, ...workshopColumns({ type: words.type, schedule, seats }) };
    this.refusePrivateLinks(changes);
    refuseTooMuch(own.files, changes.files);
    this.refuseWithoutCover(own, changes);
    const may = { mayMovePayments: hasFreshLogin(caller) };
    const changed = await this.offerings.update(own, changes, { ...may, requestId });
    if (changed === 'moved') throw freshLoginRequired(['paymentUrl']);
    if (!changed && changes.editedVersion !== undefined && (await this.offerings.find(id)))
      throw new Refusal('precondition_failed', 'The offering was changed meanwhile.');
    countPublication(own, found(changed));
    return found(changed);
  }

  async remove(id: string, { caller, requestId }: Call): Promise<Record<string, never>> {
    if (await this.offerings.isDone(requestId)) return {};
    await this.offerings.remove(await this.ownedBy(caller, id), requestId);
    return {};
  }

  close(uid: string, at: string, eventId: string): Promise<void> {
    return this.offerings.close(uid, at, eventId);
  }

  undoLinkChange(undone: UndoneLinkChangeFacts, eventId: string): Promise<void> {
    return this.offerings.undoLinkChange(undone, eventId);
  }

  notePayee(payee: PayeeFacts): Promise<void> {
    return this.payees.note(payee);
  }

  /** Applies an operator's decision about an offering, or about the profile of its creator. */
  async review({ uid, offering, outcome, at }: ReviewFacts, eventId: string): Promise<void> {
    if (outcome === 'upheld') return;
    const takenDown = outcome === 'hidden';
    if (!offering) return this.takedowns.decide(uid, takenDown, new Date(at));
    await this.offerings.setTakenDown({ id: offering.id, creatorId: uid }, takenDown, at, eventId);
  }

  async listForReview(ids: readonly string[], { isOperator }: Caller) {
    if (!isOperator) throw new Refusal('forbidden', 'This is for operators.');
    const items = await this.offerings.findMany(ids);
    return {
      items: items.map((offering) => ({
        ...{ id: offering.id, title: offering.title, picture: offering.coverImage },
        links: reviewedContent(offering, 'link'),
        text: reviewedContent(offering, 'text').filter(Boolean).join('\n\n'),
      })),
    };
  }

  async reorder(order: OfferingOrder, { caller, requestId }: Call): Promise<OfferingList> {
    const ordered = await this.offerings.reorder(caller.uid, order, requestId);
    if (ordered === 'unknown') throw new Refusal('conflict', 'Name each of your offerings once.');
    if (ordered === 'stale') throw new Refusal('precondition_failed', 'The order was changed meanwhile.');
    return ordered;
  }

  readOwn(id: string, caller: Caller): Promise<Offering> {
    return this.ownedBy(caller, id);
  }

  listOf(creatorId: string): Promise<OfferingList> {
    return this.offerings.listByCreator(creatorId);
  }

  async listPublic(creatorId: string): Promise<PublicOfferingList> {
    const [list] = await this.visible.listByCreators([creatorId]);
    return { items: list?.items ?? [], pinnedId: list?.pinnedId ?? null };
  }

  async listPublicOfMany(creatorIds: readonly string[]): Promise<{ items: PublicOfferingList[] }> {
    let room = maxAnswerBytes;
    const lists = await this.visible.listByCreators([...new Set(creatorIds)]);
    const end = lists.findIndex(({ items }) => (room -= maxJsonBytes(items)) <= 0);
    return { items: end < 0 ? lists : lists.slice(0, end) };
  }

  async listThumbnails(creatorIds: readonly string[]): Promise<{ lists: ThumbnailList[] }> {
    return { lists: await this.visible.listThumbnails([...new Set(creatorIds)]) };
  }

  async findPublic(creatorId: string, slug: string): Promise<PublicOffering> {
    return found(await this.visible.find(creatorId, slug.toLowerCase()));
  }

  async listEntries(creatorIds: readonly string[]): Promise<{ items: OfferingEntry[] }> {
    return { items: await this.visible.listEntries(creatorIds) };
  }

  async rotateKey(id: string, { caller, requestId }: Call): Promise<Offering> {
    const own = await this.ownedBy(caller, id);
    return found(await this.offerings.replaceKey(own, newDeliveryKey(), requestId));
  }

  /** A given key alone decides, even for the owner, so that owners see the page of their buyers. */
  async download({ creatorId, id, key }: DownloadInput, caller: Caller | null): Promise<Delivery> {
    if (key === undefined && !caller) throw new Refusal('unauthenticated', 'Sign in first.');
    const offering = found(await this.offerings.find(id));
    if (offering.creatorId !== creatorId) throw notFound();
    const { title, type, description, coverImage, schedule, state, takenDown } = offering;
    const isOwner = caller?.uid === creatorId;
    // A hidden offering, or one of a hidden profile, delivers nothing to buyers: its content may harm them.
    if (!isOwner && (takenDown || (await this.takedowns.isHidden(creatorId)))) throw notFound();
    // Last, since it counts a use of the sale.
    if (key !== undefined && !(await this.opens(offering, key, isOwner))) throw notFound();
    const entitled = key !== undefined || isOwner;
    // Buyers keep their access in every state of the offering.
    if (!entitled && !isPublicState(state)) throw notFound();
    const { files, deliveryText, deliveryUrl } = offering;
    const page = { title, type, description, coverImage, schedule };
    if (entitled) return { ...page, files, deliveryText, deliveryUrl, keyNeeded: false };
    const nothing = { files: [], deliveryText: '', deliveryUrl: null };
    return { ...page, ...nothing, keyNeeded: delivers(offering) };
  }

  private async opens(
    { id, deliveryKey, sharedLink }: Offering,
    key: string,
    isOwner: boolean,
  ): Promise<boolean> {
    return keyMatches(key, deliveryKey) ? sharedLink : this.sales.use(id, key, { isOwner });
  }

  /** The request is public, so it reveals no offering that was never public or that an operator has hidden. */
  async findSeller(creatorId: string, id: string): Promise<{ uid: string }> {
    const wasPublished = () => this.visible.wasPublished(creatorId, id);
    // Bypasses the read replica, which may not have the operator's decision yet.
    if (!(await withCurrentReads(true, wasPublished))) throw notFound();
    return { uid: creatorId };
  }

  private async insert(draft: OwnedDraft, caller: Caller): Promise<{ offering: Offering; isNew: boolean }> {
    const maxOfferings = limits.offeringsPerCreator;
    const may = { mayMovePayments: hasFreshLogin(caller) };
    const inserted = await this.offerings.insert(draft, { maxOfferings, ...may });
    if (inserted === 'full') {
      throw new Refusal('limit_reached', `A creator can list at most ${maxOfferings} offerings.`);
    }
    if (inserted === 'closed') throw new Refusal('forbidden', 'This account is closed.');
    // An abandoned session must not redirect payments.
    if (inserted === 'moved') throw freshLoginRequired(['paymentUrl']);
    if (inserted === 'taken') throw new Refusal('conflict', 'This offering cannot be created.');
    return inserted;
  }

  /** A draft may lack a cover: it can be a duplicate of an offering without one. */
  private refuseWithoutCover(
    own: Offering,
    { state = own.state, coverImage = own.coverImage ?? undefined }: Changes,
  ) {
    if (coverImage || isPublicState(own.state) || !isPublicState(state)) return;
    throw invalidInput([{ path: ['coverImageId'], message: 'Please select a cover image.' }]);
  }

  private refusePrivateLinks({ paymentUrl, productUrl, deliveryUrl }: Links) {
    if (this.config.ALLOW_PRIVATE_LINKS) return;
    const inside = Object.entries({ paymentUrl, productUrl, deliveryUrl })
      .filter(([, url]) => url && !isPublicHost(url))
      .map(([field]) => ({ path: [field], message: 'Enter a link that everybody can open.' }));
    if (inside.length > 0) throw invalidInput(inside);
  }

  private async ownedBy(caller: Caller, id: string): Promise<Offering> {
    const offering = found(await this.offerings.find(id));
    if (offering.creatorId !== caller.uid) {
      throw new Refusal('forbidden', 'You do not have permission to edit this offering.');
    }
    return offering;
  }
}

function countPublication(before: Offering | null, after: Offering): void {
  if (isPublicState(after.state) && !(before && isPublicState(before.state)))
    count(metrics.offeringsPublished);
}

/** The contract limits each file, this function their total size. */
function refuseTooMuch(stored: readonly DeliveredFile[], changes: readonly FileChange[] = []): void {
  const files = applyFileChanges(stored, changes, new Date());
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= limits.offeringFilesBytes) return;
  throw invalidInput([{ path: ['files'], message: 'All files together must not be larger than 1GB.' }]);
}

function found<O extends PublicOffering>(offering: O | null): O {
  if (!offering) throw notFound();
  return offering;
}

function notFound(): Refusal {
  return new Refusal('not_found', 'Offering not found.');
}
