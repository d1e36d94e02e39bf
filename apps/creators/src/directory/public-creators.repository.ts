import {
  type BrowseQuery,
  type CreatorCard,
  limits,
  type ProfileEntry,
  type PublicCreator,
} from '@stoa/contracts';
import { ReadPool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CreatorsConfig } from '../creators.config.ts';
import {
  decodePosition,
  decodeSitemapPart,
  encodeCursor,
  type Position,
  sitemapCursors,
  sitemapParts,
} from './cursor.ts';
import {
  type Filter,
  filterOf,
  maxScannedRowsOfCount,
  publicStatements,
  maxScannedRows,
} from './public-creators.statements.ts';
import { readableNiches, readablePicture, readableProfile } from '../rows/readable-row.ts';
import { parseSearch } from './search-text.ts';

/** A creator in a list, with the whole bio. The service shortens it for the card. */
type ListedCreator = Omit<CreatorCard, 'bioPreview'> & { bio: string };

interface Page {
  items: ListedCreator[];
  nextCursor: string | null;
  total: number;
  totalIsExact: boolean;
}

type CardRow = ListedCreator &
  Pick<Position, 'isComplete' | 'createdAt'> & { place?: number; matches?: number };
type Total = Pick<Page, 'total' | 'totalIsExact'>;

/** The position before the first profile of the list. */
const start: Position = {
  isComplete: true,
  createdAt: 'infinity',
  uid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  totalIsExact: true,
};
// If one in ten profiles matches, counting by a scan of the list is faster than by an index.
const commonShare = 0.1;
// If at most 0.3 % of profiles contain the word, checking their niche is faster than reading the index of niches.
const rareShare = 0.003;
// Reading 1,000 profiles of an id range takes 60 ms, because each is on another disk page. The hard limit is 40 times as
// large, because the estimated number of profiles may be outdated.
export const profilesPerSitemapPart = limits.sitemapPart / 40;

/** Runs the queries of visitors. Prepared statements, keys instead of offsets, and limits keep each query cheap. */
@Injectable()
export class PublicCreatorsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;
  private readonly statements: ReturnType<typeof publicStatements>;

  constructor(config: CreatorsConfig) {
    this.pool = new ReadPool(config);
    this.statements = publicStatements(config.PUBLISH_NEEDS_PROOF);
  }

  /** Usernames without a public profile are missing in the result. */
  async findMany(usernames: readonly string[]): Promise<PublicCreator[]> {
    const rows = await this.pool.query<PublicCreator>(this.statements.profiles, [usernames]);
    return rows.map((row) => ({ ...row, ...readableProfile(row) }));
  }

  /**
   * Returns a page: complete profiles first, then the newest. It scans the first part of the list, which finds common
   * matches, and then reads an index, which finds rare ones.
   */
  async browse({ search = '', niche, cursor, limit }: BrowseQuery): Promise<Page> {
    const { words, isIndexed } = parseSearch(search);
    const { filter, values } = filterOf(words, niche);
    const isUnfiltered = values.length === 0;
    const after = cursor ? decodePosition(cursor) : start;
    const from = [...values, after.isComplete, after.createdAt, after.uid, limit + 1];

    const punctuationOnly = words.length > 0 && !isIndexed;
    const maxRows = punctuationOnly ? maxScannedRowsOfCount : maxScannedRows;
    const walked = await this.pool.query<CardRow>(this.statements.walk(filter, maxRows), from);
    const scanSuffices = walked.length > limit || isUnfiltered || punctuationOnly;
    const rows = scanSuffices
      ? walked
      : await this.pool.query<CardRow>(await this.#lookUp(filter, niche, walked.length), from);

    const isCommon = scanSuffices && walked.length >= (walked.at(-1)?.place ?? 0) * commonShare;
    // A first page with all matches needs no count. The query by index also returns the number of matches.
    const counted = cursor ? undefined : rows.length <= limit ? rows.length : rows[0]?.matches;
    const { total, totalIsExact } =
      known(after) ??
      (punctuationOnly
        ? await this.#countPunctuation(filter, values, counted)
        : counted === undefined
          ? await this.#count(filter, values, isCommon)
          : toTotal(counted));
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    const nextCursor =
      rows.length > limit && last
        ? encodeCursor({
            isComplete: last.isComplete,
            createdAt: last.createdAt,
            uid: last.uid,
            total,
            totalIsExact,
          })
        : null;
    const cards = items.map((row) => ({
      ...row,
      profileImage: readablePicture(row.profileImage),
      niches: readableNiches(row.niches),
    }));
    return { items: cards, nextCursor, total, totalIsExact };
  }

  /** The profiles of one part of the sitemap: the one of the cursor `after`, or the first. */
  async listProfiles(after?: string): Promise<ProfileEntry[]> {
    const [first] = after ? [decodeSitemapPart(after)] : await this.#parts();
    const { from, to } = first;
    const range = [idAt(from, '0'), idAt(to - 1, 'f')];
    return this.pool.query<ProfileEntry>(this.statements.part, [...range, limits.sitemapPart]);
  }

  /**
   * The cursors of all parts of the sitemap; empty if there is only one. Ids are random, so equal ranges have equal sizes.
   */
  async surveyProfiles(): Promise<string[]> {
    return sitemapCursors(await this.#parts());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  async #parts() {
    const [estimated] = await this.pool.query<{ rows: number }>(this.statements.estimate, []);
    return sitemapParts(estimated?.rows ?? 0, profilesPerSitemapPart);
  }

  /**
   * Chooses the query by index. For a common niche, reading its index would take most of the time. If the scan has shown that
   * the word is rare, the query reads only the word's index.
   */
  async #lookUp(filter: Filter, niche: string | undefined, walked: number) {
    if (filter.forms.length === 0 || niche === undefined) return this.statements.lookUp(filter);
    const [found] = await this.pool.query<{ share: number }>(this.statements.nicheShare, [niche]);
    const wordShare = (walked + 1) / maxScannedRows / (found?.share ?? 0);
    return this.statements.lookUp(filter, wordShare <= rareShare);
  }

  async #count(filter: Filter, values: readonly unknown[], isCommon: boolean): Promise<Total> {
    const first = await this.#countBy(values.length === 0 || isCommon ? 'walk' : 'index', filter, values);
    if (values.length === 0 || !isCommon || first > limits.countedMatches) return toTotal(first);
    // The scan stops after `maxScannedRowsOfCount` rows and may miss matches, so the index counts them all.
    return toTotal(await this.#countBy('index', filter, values));
  }

  /** No index contains punctuation, so the total is exact only if the scan reaches the end of the list. */
  async #countPunctuation(
    filter: Filter,
    values: readonly unknown[],
    counted: number | undefined,
  ): Promise<Total> {
    const [count, listed] = await Promise.all([
      counted ?? this.#countBy('walk', filter, values),
      this.#countBy('walk', filterOf([], undefined).filter, [], maxScannedRowsOfCount),
    ]);
    const found = toTotal(count);
    return { ...found, totalIsExact: found.totalIsExact && listed <= maxScannedRowsOfCount };
  }

  async #countBy(
    by: 'walk' | 'index',
    filter: Filter,
    values: readonly unknown[],
    max: number = limits.countedMatches,
  ): Promise<number> {
    const statement = this.statements.count(filter, by);
    const [counted] = await this.pool.query<{ count: number }>(statement, [...values, max + 1]);
    return counted?.count ?? 0;
  }
}

/** The smallest (`0`) or largest (`f`) id whose first 32 bits are this number. */
function idAt(number: number, rest: '0' | 'f'): string {
  const digits = number.toString(16).padStart(8, '0') + rest.repeat(24);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function toTotal(count: number): Total {
  return { total: Math.min(count, limits.countedMatches), totalIsExact: count <= limits.countedMatches };
}

function known({ total, totalIsExact }: Position): Total | undefined {
  return total === undefined ? undefined : { total, totalIsExact };
}
