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
import { CheckedLinks } from './checked-links.repository.ts';
import { ContactConfig } from '../contact.config.ts';

@Injectable()
export class LinkHealthService {
  constructor(
    private readonly links: CheckedLinks,
    private readonly config: ContactConfig,
  ) {}

  /** Stores the links of a page, except links to private hosts, which are never checked. */
  async list({ links, ...page }: LinkListing): Promise<void> {
    const reachable = links.slice(0, limits.linksPerPage).flatMap((link) => {
      const host = URL.parse(link.url)?.hostname;
      return host && isPublicHost(link.url) ? [{ ...link, host }] : [];
    });
    const once = new Map(reachable.map((link) => [`${link.kind} ${link.url}`, link]));
    await this.links.list({ ...page, links: [...once.values()] });
  }

  drop(id: string, uid: string, version: number): Promise<void> {
    return this.links.drop(id, uid, version);
  }

  /**
   * The caller's dead links. Empty while link checks are switched off, because no check would update them.
   */
  async read({ uid }: Caller): Promise<LinkHealth> {
    if (!this.config.LINK_CHECK) return { items: [] };
    return { items: await this.links.listDead(uid) };
  }

  async requestCheck(id: string, { caller: { uid }, requestId }: Call): Promise<LinkHealth> {
    const outcome = await this.links.requestCheck({ uid, id }, limits.linkCheckMinutes, requestId);
    if (outcome === 'unknown') throw new Refusal('not_found', 'This link is not among those that are dead.');
    if (typeof outcome === 'object')
      throw rateLimited('This link was asked for a moment ago. Please try again later.', outcome.waitSeconds);
    return { items: await this.links.listDead(uid) };
  }

  listAll({ uid }: Caller, after: string | undefined): Promise<Output<typeof contact.listCheckedLinks>> {
    return this.links.listAll(uid, after, limits.checkedLinksPage);
  }
}
