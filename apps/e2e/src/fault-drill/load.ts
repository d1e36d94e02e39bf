import type { UploadGrant } from '@stoa/contracts';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  makeAccount,
  makeCreator,
  newAccount,
  newToken,
  offeringFields,
  postFile,
  type TestCreator,
} from '../creators.ts';
import { randomFile } from '../files.ts';
import { type PictureFile, randomPhoto } from '../pictures.ts';
import type { CallRecord } from './call-record.ts';
import type { Ledger } from './ledger.ts';

/** The one call that goes past the site. */
export const toStore = 'POST to the store';
/** Access tokens live for five minutes. */
const tokenMs = 200_000;
/** A browser tries a write with an id again, as a person does who is told to. */
const tries = 3;
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
      [10, () => this.#contact()],
      [7, () => this.#offer()],
      [4, () => this.#delete()],
      [2, () => this.#signUp()],
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
    const body = {
      displayName: creator.displayName,
      bio: `Edit ${number}`,
      contactBy: 'email',
      paygates: [],
      socialLinks: { youtube: null, tiktok: null, instagram: null },
      niches: [],
    };
    const answer = await this.#record.ask('write', 'PUT', '/api/me/profile', { token, body });
    if (answer?.ok) edit.ended = performance.now();
  }

  async #contact(): Promise<void> {
    const id = randomUUID();
    this.#ledger.messages.set(id, 'unknown');
    const body = { id, name: 'Drill', email: 'drill@example.test', subject: `Drill ${id}`, message: 'M' };
    if (await this.#persist('POST', '/api/contact-messages', { body }))
      this.#ledger.messages.set(id, 'acknowledged');
  }

  async #offer(): Promise<void> {
    const owner = this.#someone();
    const token = await this.token(owner);
    const cover = await this.#upload(token, 'offering-cover', this.#photo);
    if (!cover) return;
    const file = this.#random() < 0.5 ? await this.#upload(token, 'offering-file', randomFile(20_000)) : null;
    const id = randomUUID();
    const body = { ...offeringFields(), id, coverImageId: cover, ...(file && { fileId: file }) };
    const entry = { owner, title: body.title, file: Boolean(file), created: 'unknown' as const };
    this.#ledger.offerings.set(id, entry);
    if (await this.#persist('POST', '/api/offerings', { token, body }))
      this.#ledger.offerings.set(id, { ...entry, created: 'acknowledged' });
  }

  async #delete(): Promise<void> {
    const all = [...this.#ledger.offerings].filter(
      ([, { created, deleted }]) => created === 'acknowledged' && !deleted,
    );
    const [id, entry] = all[Math.floor(this.#random() * all.length)] ?? [];
    if (!id || !entry) return;
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

  /** The id of an upload that was taken; one that was not is left to the sweeper. */
  async #upload(token: string, purpose: 'offering-cover' | 'offering-file', file: PictureFile) {
    const asked = { purpose, filename: file.name, contentType: file.mimeType, size: file.buffer.length };
    const granted = await this.#record.ask('write', 'POST', '/api/uploads', { token, body: asked });
    if (!granted?.ok) return undefined;
    const grant = JSON.parse(granted.text) as UploadGrant;
    const posted = await this.#record.keep('write', toStore, () => postFile(grant, file));
    if (!posted?.ok) return undefined;
    const verb = purpose === 'offering-file' ? 'complete-file' : 'complete';
    return (await this.#persist('POST', `/api/uploads/${grant.id}/${verb}`, { token }))
      ? grant.id
      : undefined;
  }

  /** A write that names its id, sent again while nobody says that it was done. */
  async #persist(
    method: string,
    path: string,
    options: { token?: string; body?: unknown },
  ): Promise<boolean> {
    for (let tried = 1; tried <= tries; tried += 1) {
      const answer = await this.#record.ask('write', method, path, options);
      if (answer?.ok) return true;
      if (answer && answer.status < 500) return false;
      await pause(betweenTriesMs);
    }
    return false;
  }
}
