import { deletionPhrase, type Offering, type UploadGrant } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Account,
  makeAccount,
  makeCreator,
  newAccount,
  newToken,
  offeringFields,
  postFile,
  type TestCreator,
} from '../creators.ts';
import { randomFile } from '../files.ts';
import { updateUser } from '../keycloak-admin.ts';
import { type PictureFile, randomPhoto } from '../pictures.ts';
import { makeVisit, personsBrowser } from '../visits.ts';
import type { CallRecord, ExpectingOptions } from './call-record.ts';
import type { DrillVisit } from './drill-visits.ts';
import { type Edit, textOfEdit } from './edits.ts';
import type { DrillLeaver } from './leavers.ts';
import type { Ledger, LedgeredOffering } from './ledger.ts';

/** The one call that goes past the site. */
export const toStore = 'POST to the store';
/** Access tokens live for five minutes. */
const tokenMs = 200_000;
/** A browser tries a write with an id again, as a person does who is told to. */
const tries = 3;
/** A proof is read from the realm within seconds, and parts may be away meanwhile. */
const triesToProve = 20;
const betweenTriesMs = 1000;

interface Token {
  readonly text: string;
  readonly since: number;
}

/** People who come at a steady rate whatever becomes of those before them: an open loop. */
export class Load {
  readonly #record: CallRecord;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  readonly #photo: PictureFile;
  /** Whose pages are there for everybody: who signs up later has yet to save a profile. */
  #known: readonly TestCreator[] = [];
  readonly #tokens = new Map<TestCreator, Token>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #weights: readonly (readonly [weight: number, work: () => Promise<void>])[];
  #pacing: Promise<void> | undefined;
  #going = true;

  private constructor(record: CallRecord, ledger: Ledger, random: () => number, photo: PictureFile) {
    this.#record = record;
    this.#ledger = ledger;
    this.#random = random;
    this.#photo = photo;
    this.#weights = [
      [300, () => this.#read((name) => `/profile/${name}`)],
      [220, () => this.#read((name) => `/api/creators/${name}`)],
      [220, () => this.#read((name) => `/api/creators/${name}/offerings`)],
      [100, () => this.#read(() => '/browse-creators')],
      [60, () => this.#read((name) => `/api/creators?search=${name}`)],
      [25, () => this.#readOwn()],
      [50, () => this.#edit()],
      [15, () => this.#editOffering()],
      [15, () => this.#visit()],
      [10, () => this.#contact()],
      [7, () => this.#offer()],
      [4, () => this.#delete()],
      [2, () => this.#signUp()],
      [5, () => this.#leave()],
    ];
  }

  /** With so many creators to begin with. */
  static async open(
    creators: number,
    record: CallRecord,
    ledger: Ledger,
    random: () => number,
  ): Promise<Load> {
    // Small: what is tried is whether pictures get lost, not how long one takes.
    const load = new Load(record, ledger, random, await randomPhoto({ width: 320, height: 240 }));
    for (let made = 0; made < creators; made += 1) load.#welcome(await makeCreator());
    load.#known = [...ledger.creators];
    return load;
  }

  start(perSecond: number): void {
    this.#pacing = this.#pace(perSecond);
  }

  /** Resolves once who has come has been answered. */
  async stop(): Promise<void> {
    this.#going = false;
    await this.#pacing;
    await Promise.all(this.#underWay);
  }

  /** A token that is valid for a while. */
  async token(creator: TestCreator): Promise<string> {
    const known = this.#tokens.get(creator);
    if (known && Date.now() - known.since < tokenMs) return known.text;
    const since = Date.now();
    const text = await newToken(creator);
    this.#tokens.set(creator, { text, since });
    return text;
  }

  async #pace(perSecond: number): Promise<void> {
    const begun = performance.now();
    for (let due = 0; this.#going; due += 1) {
      const wait = begun + (due * 1000) / perSecond - performance.now();
      if (wait > 1) await pause(wait);
      // A sign-in that Keycloak cannot do without Postgres: this person goes away again.
      const work = this.#next()().catch(() => undefined);
      this.#underWay.add(work);
      void work.then(() => this.#underWay.delete(work));
    }
  }

  #next(): () => Promise<void> {
    let left = this.#random() * this.#weights.reduce((sum, [weight]) => sum + weight, 0);
    const [, work] = this.#weights.find(([weight]) => (left -= weight) < 0) ?? this.#weights[0] ?? [];
    return work ?? (() => Promise.resolve());
  }

  #welcome(creator: TestCreator): void {
    this.#tokens.set(creator, { text: creator.token, since: Date.now() });
    this.#ledger.creators.push(creator);
  }

  #someone(creators: readonly TestCreator[] = this.#ledger.creators): TestCreator {
    const one = creators[Math.floor(this.#random() * creators.length)];
    if (!one) throw new Error('There is nobody.');
    return one;
  }

  async #read(path: (username: string) => string): Promise<void> {
    await this.#record.ask('read', 'GET', path(this.#someone(this.#known).username));
  }

  async #readOwn(): Promise<void> {
    const token = await this.token(this.#someone());
    await this.#record.ask('own read', 'GET', '/api/me/offerings', { token });
  }

  async #edit(): Promise<void> {
    const creator = this.#someone();
    const token = await this.token(creator);
    const edits = this.#ledger.edits.get(creator) ?? [];
    this.#ledger.edits.set(creator, edits);
    const edit = { began: performance.now(), ended: Infinity };
    const number = edits.push(edit) - 1;
    const body = profileOf(creator, textOfEdit(number));
    const answer = await this.#record.ask('write', 'PUT', '/api/me/profile', { token, body });
    if (answer?.ok) edit.ended = performance.now();
  }

  async #contact(): Promise<void> {
    const id = randomUUID();
    this.#ledger.messages.set(id, 'unknown');
    const body = { id, name: 'Drill', email: 'drill@example.test', subject: `Drill ${id}`, message: 'M' };
    if ((await this.#persist('POST', '/api/contact-messages', { body }))?.ok)
      this.#ledger.messages.set(id, 'acknowledged');
  }

  async #offer(): Promise<void> {
    const owner = this.#someone();
    const token = await this.token(owner);
    const cover = await this.#upload(token, 'offering-cover', this.#photo);
    if (!cover) return;
    const file = this.#random() < 0.5 ? await this.#upload(token, 'offering-file', randomFile(20_000)) : null;
    const id = randomUUID();
    const fields = offeringFields();
    const body = { ...fields, id, coverImageId: cover, ...(file && { fileId: file }) };
    const entry: LedgeredOffering = {
      ...{ owner, fields, file: Boolean(file), created: 'unknown', version: undefined },
      ...{ edits: [], editing: 0 },
    };
    this.#ledger.offerings.set(id, entry);
    const answer = await this.#persist('POST', '/api/offerings', { token, body });
    if (!answer?.ok) return;
    entry.created = 'acknowledged';
    entry.version = versionOf(answer);
  }

  /** Half of them name the version that they are made from, as the browser does: the answer may be that there is another. */
  async #editOffering(): Promise<void> {
    const [id, entry] = this.#someOffering() ?? [];
    if (!id || !entry) return;
    const token = await this.token(entry.owner);
    if (entry.deleted) return;
    const edit: Edit = { began: performance.now(), ended: Infinity };
    const body = { ...entry.fields, description: textOfEdit(entry.edits.push(edit) - 1) };
    const conditional = entry.version !== undefined && this.#random() < 0.5;
    const condition = { headers: { 'if-match': `"${entry.version}"` }, expects: [412] };
    entry.editing += 1;
    const path = `/api/offerings/${id}`;
    const options = { token, body, ...(conditional && condition) };
    const answer = await this.#record.ask('write', 'PUT', path, options);
    entry.editing -= 1;
    if (answer?.ok) edit.ended = performance.now();
    if (answer?.status === 412) edit.refused = true;
    if (answer?.ok || edit.refused) entry.version = answer?.ok ? versionOf(answer) : undefined;
  }

  async #delete(): Promise<void> {
    const [id, entry] = this.#someOffering() ?? [];
    if (!id || !entry || entry.editing > 0) return;
    entry.deleted = 'unknown';
    const token = await this.token(entry.owner);
    const answer = await this.#record.ask('write', 'DELETE', `/api/offerings/${id}`, { token });
    if (answer?.ok) entry.deleted = 'acknowledged';
  }

  async #signUp(): Promise<void> {
    const account = newAccount();
    const opened = await makeAccount(account);
    const answer = await this.#record.ask('write', 'POST', '/api/session', { token: opened.token });
    if (!answer?.ok) return;
    const { uid, createdAt } = JSON.parse(answer.text) as { uid: string; createdAt: string };
    this.#welcome({ ...account, ...opened, uid, createdAt });
  }

  /** Of what is sure to be there. */
  #someOffering(): readonly [id: string, LedgeredOffering] | undefined {
    const all = [...this.#ledger.offerings].filter(
      ([, { created, deleted }]) => created === 'acknowledged' && !deleted,
    );
    return all[Math.floor(this.#random() * all.length)];
  }

  /** A page that is looked at, or a link there that is followed, as the page tells. */
  async #visit(): Promise<void> {
    const kind = this.#random() < 0.7 ? 'view' : 'support';
    const body = makeVisit(this.#someone(this.#known).uid, { kind });
    const entry: DrillVisit = { visit: body, told: 'unknown' };
    this.#ledger.visits.set(body.id, entry);
    const answer = await this.#persist('POST', '/api/visits', { body, headers: personsBrowser });
    // 202: only memory has it.
    if (answer?.status === 204) entry.told = 'acknowledged';
  }

  /** Somebody who signs up, publishes something and goes for good, so that nobody else writes for them. */
  async #leave(): Promise<void> {
    const account = newAccount();
    const { token } = await makeAccount(account);
    const session = await this.#record.ask('write', 'POST', '/api/session', { token });
    if (!session?.ok) return;
    const { uid } = JSON.parse(session.text) as { uid: string };
    await this.#record.ask('write', 'PUT', '/api/me/profile', { token, body: profileOf(account) });
    const cover = await this.#upload(token, 'offering-cover', this.#photo);
    const body = { ...offeringFields(), id: randomUUID(), coverImageId: cover };
    if (cover) await this.#persist('POST', '/api/offerings', { token, body });
    if (!(await this.#prove(uid, token))) return;
    const leaver: DrillLeaver = { ...account, uid, asked: 'unknown' };
    this.#ledger.leavers.push(leaver);
    const confirmed = { token, body: { confirmation: deletionPhrase } };
    // Done, and the answer lost: their sessions have ended by the second time.
    const answer = await this.#persist('POST', '/api/account/deletion', confirmed, [401]);
    if (answer?.ok) leaver.asked = 'acknowledged';
  }

  /** Whether the address is known as proved: no other gets a receipt. */
  async #prove(uid: string, token: string): Promise<boolean> {
    await updateUser(uid, { emailVerified: true });
    for (let tried = 0; tried < triesToProve; tried += 1) {
      const answer = await this.#record.ask('own read', 'GET', '/api/me', { token });
      if (answer?.ok && (JSON.parse(answer.text) as { emailVerified: boolean }).emailVerified) return true;
      await pause(betweenTriesMs);
    }
    return false;
  }

  /** The id of an upload that was taken; one that was not is left to the sweeper. */
  async #upload(token: string, purpose: 'offering-cover' | 'offering-file', file: PictureFile) {
    const asked = { purpose, filename: file.name, contentType: file.mimeType, size: file.buffer.length };
    const granted = await this.#record.ask('write', 'POST', '/api/uploads', { token, body: asked });
    if (!granted?.ok) return undefined;
    const grant = JSON.parse(granted.text) as UploadGrant;
    const posted = await this.#record.keep('write', toStore, () => postFile(grant, file));
    if (!posted?.ok) return undefined;
    const verb = purpose === 'offering-file' ? 'complete-file' : 'complete';
    const checked = await this.#persist('POST', `/api/uploads/${grant.id}/${verb}`, { token });
    return checked?.ok ? grant.id : undefined;
  }

  /** A write that names its id, sent again while nobody says that it was done; `again` is what may be said of a repeat. */
  async #persist(
    method: string,
    path: string,
    options: ExpectingOptions,
    again: readonly number[] = [],
  ): Promise<Answered | undefined> {
    for (let tried = 1; tried <= tries; tried += 1) {
      const expects = tried > 1 ? again : [];
      const answer = await this.#record.ask('write', method, path, { ...options, expects });
      if (answer && answer.status < 500) return answer;
      await pause(betweenTriesMs);
    }
    return undefined;
  }
}

type Answered = NonNullable<Awaited<ReturnType<CallRecord['ask']>>>;

const versionOf = ({ text }: Answered) => (JSON.parse(text) as Offering).version;

const profileOf = ({ displayName }: Account, bio = '') => ({
  ...{ displayName, bio, contactBy: 'email', paygates: [], niches: [] },
  socialLinks: { youtube: null, tiktok: null, instagram: null },
});
