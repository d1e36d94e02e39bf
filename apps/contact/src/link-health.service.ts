import {
  type Caller,
  type contact,
  isPublicHost,
  limits,
  type LinkHealth,
  type LinkListing,
  type Output,
} from '@stoa/contracts';
import { type Call, rateLimited, Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { ContactConfig } from './contact.config.ts';
import { ContactRepository } from './contact.repository.ts';

@Injectable()
export class LinkHealthService {
  constructor(
    private readonly messages: ContactRepository,
    private readonly config: ContactConfig,
  ) {}

  /** These are the links of a page from now on. What nobody could reach from outside is looked at by nobody. */
  async list({ links, ...page }: LinkListing): Promise<void> {
    const reachable = links.slice(0, limits.linksPerPage).flatMap((link) => {
      const host = URL.parse(link.url)?.hostname;
      return host && isPublicHost(link.url) ? [{ ...link, host }] : [];
    });
    const once = new Map(reachable.map((link) => [`${link.kind} ${link.url}`, link]));
    await this.messages.links.list({ ...page, links: [...once.values()] });
  }

  drop(id: string, uid: string, version: number): Promise<void> {
    return this.messages.links.drop(id, uid, version);
  }

  /** None where nobody looks any more: what was seen last would stand there for ever. */
  async read({ uid }: Caller): Promise<LinkHealth> {
    if (!this.config.LINK_CHECK) return { items: [] };
    return { items: await this.messages.links.listDead(uid) };
  }

  async ask(id: string, { caller: { uid }, requestId }: Call): Promise<LinkHealth> {
    const asked = await this.messages.links.ask({ uid, id }, limits.linkCheckMinutes, requestId);
    if (asked === 'unknown') throw new Refusal('not_found', 'This link is not among those that are dead.');
    if (typeof asked === 'object')
      throw rateLimited('This link was asked for a moment ago. Please try again later.', asked.waitSeconds);
    return { items: await this.messages.links.listDead(uid) };
  }

  listAll({ uid }: Caller, after: string | undefined): Promise<Output<typeof contact.listCheckedLinks>> {
    return this.messages.links.listAll(uid, after, limits.checkedLinksPage);
  }
}
