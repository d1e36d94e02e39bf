import {
  AccountExport,
  type Caller,
  type CheckedLink,
  contact,
  creators,
  identity,
  limits,
  media,
  offerings,
  type ReceivedMessage,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Controller, Get, Post } from '@nestjs/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

const dayMs = 24 * 60 * 60 * 1000;

@Controller('api/account/export')
export class AccountExportController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @CreatorRoute(AccountExport, {
    summary: "Reads the state of the caller's export",
    description: 'Once it is ready, with a link that works for some minutes: read again for another one.',
  })
  read(@CurrentCaller() caller: Caller): Promise<AccountExport> {
    return this.bus.ask(media.readExport, {}, { caller });
  }

  @Post()
  @CreatorRoute(null, {
    summary: "Exports the caller's account",
    description: `One archive of account, profile, offerings, numbers of visits, messages to the caller, what is known of their links, what operators decided about their pages, pictures and files is made in the
background, and a mail says when it is ready. It lies there for ${limits.exportHours} hours. It takes a log-in of the last ten minutes (403 otherwise); one is made at a time (409).`,
    status: 202,
    problems: [403, 409],
  })
  async request(@CurrentCaller() caller: Caller): Promise<void> {
    const { id } = await this.bus.ask(media.startExport, {}, { caller });
    const add = (name: string, content: object) =>
      this.bus.ask(media.addToExport, { id, name, content: content as never }, { caller });
    await Promise.all([
      this.bus.ask(identity.open, {}, { caller }).then((account) => add('account.json', account)),
      this.bus.ask(creators.open, {}, { caller }).then(({ creator }) => add('profile.json', creator)),
      this.bus.ask(offerings.listOwn, {}, { caller }).then((list) => add('offerings.json', list)),
      this.bus.ask(identity.listLinkChanges, {}, { caller }).then((list) => add('link-changes.json', list)),
      this.#addNumbers(add, caller),
      this.#addMessages(add, caller),
      this.#addLinks(add, caller),
      this.#addReviews(add, caller),
    ]);
    await this.bus.ask(media.makeExport, { id }, { caller });
  }

  /** As much as one answer holds in each file, the newest first. */
  async #addNumbers(add: (name: string, content: object) => Promise<unknown>, caller: Caller): Promise<void> {
    const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
    for (let ago = 0, part = 1; ago <= limits.visitDays; ago += limits.listedVisitDays, part += 1) {
      const time = { from: dayBefore(ago + limits.listedVisitDays - 1), to: dayBefore(ago) };
      const counts = await this.bus.ask(creators.listVisits, time, { caller });
      if (part === 1 || counts.items.length > 0) await add(`numbers-${part}.json`, counts);
    }
  }

  async #addMessages(
    add: (name: string, content: object) => Promise<unknown>,
    caller: Caller,
  ): Promise<void> {
    for (let page = 1, items: ReceivedMessage[]; ; page += 1) {
      const skip = (page - 1) * limits.messagesPage;
      ({ items } = await this.bus.ask(contact.listReceived, { skip }, { caller }));
      if (page === 1 || items.length > 0) await add(`messages-${page}.json`, { items });
      if (items.length < limits.messagesPage) return;
    }
  }

  async #addLinks(add: (name: string, content: object) => Promise<unknown>, caller: Caller): Promise<void> {
    for (let page = 1, items: CheckedLink[]; ; page += 1) {
      const skip = (page - 1) * limits.checkedLinksPage;
      ({ items } = await this.bus.ask(contact.listCheckedLinks, { skip }, { caller }));
      if (page === 1 || items.length > 0) await add(`links-${page}.json`, { items });
      if (items.length < limits.checkedLinksPage) return;
    }
  }

  async #addReviews(add: (name: string, content: object) => Promise<unknown>, caller: Caller): Promise<void> {
    for (let page = 1, cursor: string | null | undefined; cursor !== null; page += 1) {
      const asked = cursor === undefined ? {} : { cursor };
      const { items, nextCursor } = await this.bus.ask(creators.listRecords, asked, { caller });
      await add(`reviews-${page}.json`, { items });
      cursor = nextCursor;
    }
  }
}
