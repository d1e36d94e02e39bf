import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

type Topic = 'creators' | 'offerings' | 'sitemap';

const entries = 2000;
// A part of the sitemap is about a megabyte.
const sitemapParts = 16;
// Events empty the cache within moments; this bounds the harm of one that this replica missed.
const staleMs = 15_000;

/** Answers of public reads, kept until an event of their topic says that something changed. */
@Injectable()
export class PublicCache {
  private readonly topics: Record<Topic, LRUCache<string, Promise<object>>> = {
    creators: new LRUCache({ max: entries, ttl: staleMs }),
    offerings: new LRUCache({ max: entries, ttl: staleMs }),
    sitemap: new LRUCache({ max: sitemapParts, ttl: staleMs }),
  };

  /** The kept answer, or that of `load`, which runs once for all who ask meanwhile. */
  read<T extends object>(topic: Topic, key: string, load: () => Promise<T>): Promise<T> {
    const cache = this.topics[topic];
    const kept = cache.get(key) as Promise<T> | undefined;
    if (kept) return kept;
    const loading = load();
    cache.set(key, loading);
    // A refusal is not kept: the next reader asks again. Only this entry goes, not one that followed it.
    loading.catch(() => {
      if (cache.peek(key) === loading) cache.delete(key);
    });
    return loading;
  }

  /** Makes a change, and forgets what it makes stale: whoever made it shall see it at once, the event is still on its way. */
  async write<T>(topic: Topic, change: Promise<T>): Promise<T> {
    const answer = await change;
    this.forget(topic);
    return answer;
  }

  /** Forgets every answer of the topic, also those still being loaded. */
  forget(topic: Topic): void {
    this.topics[topic].clear();
  }
}
