import { creators, offerings } from '@stoa/contracts';
import { Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { PublicCache } from './public-cache.ts';

@Injectable()
export class PublicCacheListener {
  constructor(private readonly cache: PublicCache) {}

  @Listens(creators.opened, creators.changed, creators.removed)
  async creatorChanged() {
    this.cache.forget('creators');
    this.cache.forget('sitemap');
  }

  @Listens(creators.counted)
  async offeringsCounted() {
    this.cache.forget('creators');
  }

  @Listens(offerings.published, offerings.changed, offerings.removed)
  async offeringChanged() {
    this.cache.forget('offerings');
  }
}
