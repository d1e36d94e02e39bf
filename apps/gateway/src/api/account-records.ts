import {
  type Caller,
  contact,
  creators,
  identity,
  limits,
  offerings,
  type ReceivedMessage,
} from '@stoa/contracts';
import { type Bus, Refusal } from '@stoa/messaging';

const dayMs = 24 * 60 * 60 * 1000;

/** A JSON file in the archive of an export. */
export interface AccountRecord {
  readonly name: string;
  readonly content: object;
}

type Records = AsyncGenerator<AccountRecord, void>;

/** Yields all records that the services store about the caller. Each record is one request of limited size. */
export async function* accountRecords(bus: Bus, caller: Caller): Records {
  yield { name: 'account.json', content: await bus.ask(identity.open, {}, { caller }) };
  yield { name: 'profile.json', content: await profile(bus, caller) };
  yield { name: 'offerings.json', content: await bus.ask(offerings.listOwn, {}, { caller }) };
  yield* sales(bus, caller);
  yield { name: 'sessions.json', content: await sessions(bus, caller) };
  yield { name: 'link-changes.json', content: await bus.ask(identity.listLinkChanges, {}, { caller }) };
  yield* numbers(bus, caller);
  yield* messages(bus, caller);
  yield* links(bus, caller);
  yield* reviews(bus, caller);
}

async function* sales(bus: Bus, caller: Caller): Records {
  for (let page = 1, cursor: string | null | undefined; cursor !== null; page += 1) {
    const input = cursor === undefined ? {} : { cursor };
    const { items, nextCursor } = await bus.ask(offerings.listSales, input, { caller });
    yield { name: `sales-${page}.json`, content: { items } };
    cursor = nextCursor;
  }
}

/** If the creators service refuses the profile because its username is reserved, the export contains a note instead. */
async function profile(bus: Bus, caller: Caller): Promise<object> {
  try {
    return (await bus.ask(creators.open, {}, { caller })).creator;
  } catch (error) {
    if (!(error instanceof Refusal) || !['invalid_input', 'conflict'].includes(error.code)) throw error;
    return { note: `This account has no profile. ${error.message}` };
  }
}

/** Only Keycloak stores sessions. If Keycloak is down, the export contains a note instead, so that it can end. */
async function sessions(bus: Bus, caller: Caller): Promise<object> {
  try {
    return await bus.ask(identity.listSessions, {}, { caller });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      items: [],
      note: 'Your sessions could not be read when this export was made. Your account page lists them.',
    };
  }
}

/** Yields the daily numbers of visits, newest days first. */
async function* numbers(bus: Bus, caller: Caller): Records {
  const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
  for (let ago = 0, part = 1; ago <= limits.visitDays; ago += limits.listedVisitDays, part += 1) {
    const time = { from: dayBefore(ago + limits.listedVisitDays - 1), to: dayBefore(ago) };
    const content = await bus.ask(creators.listVisits, time, { caller });
    if (part === 1 || content.items.length > 0) yield { name: `numbers-${part}.json`, content };
  }
}

async function* messages(bus: Bus, caller: Caller): Records {
  let last: ReceivedMessage | undefined;
  for (let page = 1; ; page += 1) {
    const input = last ? { after: { receivedAt: last.receivedAt, id: last.id } } : {};
    const { items } = await bus.ask(contact.listReceived, input, { caller });
    if (page === 1 || items.length > 0) yield { name: `messages-${page}.json`, content: { items } };
    if (items.length < limits.messagesPage) return;
    last = items.at(-1);
  }
}

async function* links(bus: Bus, caller: Caller): Records {
  for (let page = 1, after: string | null | undefined; after !== null; page += 1) {
    const input = after === undefined ? {} : { after };
    const { items, next } = await bus.ask(contact.listCheckedLinks, input, { caller });
    if (page === 1 || items.length > 0) yield { name: `links-${page}.json`, content: { items } };
    after = next;
  }
}

async function* reviews(bus: Bus, caller: Caller): Records {
  for (let page = 1, cursor: string | null | undefined; cursor !== null; page += 1) {
    const input = cursor === undefined ? {} : { cursor };
    const { items, nextCursor } = await bus.ask(creators.listRecords, input, { caller });
    yield { name: `reviews-${page}.json`, content: { items } };
    cursor = nextCursor;
  }
}
