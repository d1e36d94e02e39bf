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
} from '@stoa/e2e/creators';
import { randomFile } from '@stoa/e2e/files';
import { updateUser } from '@stoa/e2e/keycloak-admin';
import { type PictureFile, randomPhoto } from '@stoa/e2e/pictures';
import { makeVisit, browserHeaders } from '@stoa/e2e/visits';
import type { CallRecord, ExpectingOptions } from './call-record.ts';
import type { DrillVisit } from './drill-visits.ts';
import { type Edit, textOfEdit } from './edits.ts';
import type { DrillLeaver } from './leavers.ts';
import type { Ledger, RecordedOffering } from './ledger.ts';

/** The only call that does not go to the site. */
export const uploadCall = 'POST to the store';
/** Access tokens live for five minutes. */
const tokenMs = 200_000;
/** Attempts of a write without an answer, like those of a browser. */
const tries = 3;
/**
 * Attempts to find a proof of an address. The service reads it within seconds, but parts may be away during
 * that time.
 */
const triesToProve = 20;
const betweenTriesMs = 1000;

interface Token {
  readonly text: string;
  readonly since: number;
}

/** Users who arrive at a steady rate, independent of earlier answers: an open loop. */
export class Load {
  readonly #record: CallRecord;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  readonly #photo: PictureFile;
  /** Creators with public pages; those who sign up later have not saved a profile. */
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

  /** @param creators How many creators exist from the start. */
  static async open(
    creators: number,
    record: CallRecord,
    ledger: Ledger,
    random: () => number,
  ): Promise<Load> {
    // Uses a small picture, because the drill tests whether pictures get lost, not how long they take.
    const load = new Load(record, ledger, random, await randomPhoto({ width: 320, height: 240 }));
    for (let made = 0; made < creators; made += 1) load.#welcome(await makeCreator());
    load.#known = [...ledger.creators];
    return load;
  }

  start(perSecond: number): void {
    this.#pacing = this.#pace(perSecond);
  }

  /** Resolves once all pending calls are answered. */
  async stop(): Promise<void> {
    this.#going = false;
    await this.#pacing;
    await Promise.all(this.#underWay);
  }

  /** A token that stays valid for a while. */
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
      // Ignores a failed sign-in while Keycloak has no Postgres; this user then gives up.
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

  #randomCreator(creators: readonly TestCreator[] = this.#ledger.creators): TestCreator {
    const one = creators[Math.floor(this.#random() * creators.length)];
    if (!one) throw new Error('There is no creator.');
    return one;
  }

  async #read(path: (username: string) => string): Promise<void> {
    await this.#record.ask('read', 'GET', path(this.#randomCreator(this.#known).username));
  }

  async #readOwn(): Promise<void> {
    const token = await this.token(this.#randomCreator());
    await this.#record.ask('own read', 'GET', '/api/me/offerings', { token });
  }

  async #edit(): Promise<void> {
    const creator = this.#randomCreator();
    const token = await this.token(creator);
    const edits = this.#ledger.edits.get(creator) ?? [];
    this.#ledger.edits.set(creator, edits);
    const edit = { began: performance.now(), ended: Infinity };
    const number = edits.push(edit) - 1;
    const body = profileOf(creator, textOfEdit(number));
    const answer = await this.#persist('PUT', '/api/me/profile', { token, body });
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
    const owner = this.#randomCreator();
    const token = await this.token(owner);
    const cover = await this.#upload(token, 'offering-cover', this.#photo);
    if (!cover) return;
    const file = this.#random() < 0.5 ? await this.#upload(token, 'offering-file', randomFile(20_000)) : null;
    const id = randomUUID();
    const fields = offeringFields();
    const body = { ...fields, id, coverImageId: cover, ...(file && { files: [{ id: file }] }) };
    const entry: RecordedOffering = {
      ...{ owner, fields, file: Boolean(file), created: 'unknown', version: undefined },
      ...{ edits: [], editing: 0 },
    };
    this.#ledger.offerings.set(id, entry);
    const answer = await this.#persist('POST', '/api/offerings', { token, body });
    if (!answer?.ok) return;
    entry.created = 'acknowledged';
    entry.version = versionOf(answer);
  }

  /** Half of the edits name the version on which they are based, as the browser does, and may be refused with 412. */
  async #editOffering(): Promise<void> {
    const [id, entry] = this.#randomOffering() ?? [];
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
    const answer = await this.#persist('PUT', path, options);
    entry.editing -= 1;
    if (answer?.ok) edit.ended = performance.now();
    if (answer?.status === 412) edit.refused = true;
    if (answer?.ok || edit.refused) entry.version = answer?.ok ? versionOf(answer) : undefined;
  }

  async #delete(): Promise<void> {
    const [id, entry] = this.#randomOffering() ?? [];
    if (!id || !entry || entry.editing > 0) return;
    entry.deleted = 'unknown';
    const token = await this.token(entry.owner);
    const answer = await this.#persist('DELETE', `/api/offerings/${id}`, { token });
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

  /** A random offering that certainly exists. */
  #randomOffering(): readonly [id: string, RecordedOffering] | undefined {
    const all = [...this.#ledger.offerings].filter(
      ([, { created, deleted }]) => created === 'acknowledged' && !deleted,
    );
    return all[Math.floor(this.#random() * all.length)];
  }

  /** A page view or a followed link, as the page reports it. */
  async #visit(): Promise<void> {
    const kind = this.#random() < 0.7 ? 'view' : 'support';
    const body = makeVisit(this.#randomCreator(this.#known).uid, { kind });
    const entry: DrillVisit = { visit: body, outcome: 'unknown' };
    this.#ledger.visits.set(body.id, entry);
    const answer = await this.#persist('POST', '/api/visits', { body, headers: browserHeaders });
    // Status 202 means that the visit is stored in memory only.
    if (answer?.status === 204) entry.outcome = 'acknowledged';
  }

  /** A user who signs up, publishes something and deletes the account. No other call uses this account. */
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
    const leaver: DrillLeaver = { ...account, uid, outcome: 'unknown' };
    this.#ledger.leavers.push(leaver);
    const confirmed = { token, body: { confirmation: deletionPhrase } };
    // Accepts 401 for a repeat after a lost answer, because the sessions have ended.
    const answer = await this.#persist('POST', '/api/account/deletion', confirmed, [401]);
    if (answer?.ok) leaver.outcome = 'acknowledged';
  }

  /** Whether the address is recorded as confirmed; only such an address gets a receipt. */
  async #prove(uid: string, token: string): Promise<boolean> {
    await updateUser(uid, { emailVerified: true });
    for (let tried = 0; tried < triesToProve; tried += 1) {
      const answer = await this.#record.ask('own read', 'GET', '/api/me', { token });
      if (answer?.ok && (JSON.parse(answer.text) as { emailVerified: boolean }).emailVerified) return true;
      await pause(betweenTriesMs);
    }
    return false;
  }

  /** The id of an accepted upload. The sweeper removes uploads that were not accepted. */
  async #upload(token: string, purpose: 'offering-cover' | 'offering-file', file: PictureFile) {
    const fields = { purpose, filename: file.name, contentType: file.mimeType, size: file.buffer.length };
    const granted = await this.#record.ask('write', 'POST', '/api/uploads', { token, body: fields });
    if (!granted?.ok) return undefined;
    const grant = JSON.parse(granted.text) as UploadGrant;
    const posted = await this.#record.keep('write', uploadCall, () => postFile(grant, file));
    if (!posted?.ok) return undefined;
    const verb = purpose === 'offering-file' ? 'complete-file' : 'complete';
    const checked = await this.#persist('POST', `/api/uploads/${grant.id}/${verb}`, { token });
    return checked?.ok ? grant.id : undefined;
  }

  /**
   * Sends a write under one key, and repeats it like the web app until it is answered. `again` lists further good
   * statuses of a repeat.
   */
  async #persist(
    method: string,
    path: string,
    options: ExpectingOptions,
    again: readonly number[] = [],
  ): Promise<Answered | undefined> {
    const headers = { ...options.headers, 'idempotency-key': randomUUID() };
    for (let tried = 1; tried <= tries; tried += 1) {
      const expects = [...(options.expects ?? []), ...(tried > 1 ? again : [])];
      const answer = await this.#record.ask('write', method, path, { ...options, headers, expects });
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
