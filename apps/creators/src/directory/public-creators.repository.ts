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

/** A card with its bio; the service cuts the preview from it. */
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

/** The position before all profiles. */
const start: Position = {
  isComplete: true,
  createdAt: 'infinity',
  uid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  totalIsExact: true,
};
// If one in ten profiles matches, a scan of the list counts faster than an index.
const commonShare = 0.1;
// If at most 0.3 % of the profiles have the word, checking the niche in their rows is faster than reading the niche index.
const rareShare = 0.003;
// The rows of an id range are scattered over the table: each profile and each offering costs one page read, 60 ms for 1,000.
// The hard limit is 40 times as large, in case the row estimate is outdated.
export const profilesPerSitemapPart = limits.sitemapPart / 40;

/** The reads of visitors: prepared statements that page by keys and have limits, so that their cost stays bounded. */
@Injectable()
export class PublicCreatorsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;
  private readonly statements: ReturnType<typeof publicStatements>;

  constructor(config: CreatorsConfig) {
    this.pool = new ReadPool(config);
    this.statements = publicStatements(config.PUBLISH_NEEDS_PROOF);
  }

  /** Omits usernames without a public profile. */
  async findMany(usernames: readonly string[]): Promise<PublicCreator[]> {
    const rows = await this.pool.query<PublicCreator>(this.statements.profiles, [usernames]);
    return rows.map((row) => ({ ...row, ...readableProfile(row) }));
  }

  /**
   * One page: complete profiles first, then the newest. A scan of the list runs first and finds common matches. The indexes
   * find rare ones.
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
    // A first page with all matches needs no count, and an index lookup returns the number of matches.
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

  /** The profiles of one sitemap part: that of the cursor `after`, or the first one. */
  async listProfiles(after?: string): Promise<ProfileEntry[]> {
    const [first] = after ? [decodeSitemapPart(after)] : await this.#parts();
    const { from, to } = first;
    const range = [idAt(from, '0'), idAt(to - 1, 'f')];
    return this.pool.query<ProfileEntry>(this.statements.part, [...range, limits.sitemapPart]);
  }

  /** The cursors of the sitemap parts, none for a single one. Random ids are spread evenly, so ranges need no count. */
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
   * Chooses the index lookup. Reading the index of a common niche would take most of the time. If the scan shows that the
   * word is rare, the query checks the niche in the rows with this word instead.
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
    // The scan ends after `maxScannedRowsOfCount` rows and may miss matches behind them. The index counts all.
    return toTotal(await this.#countBy('index', filter, values));
  }

  /** No index covers punctuation: the total is exact only if the scan reaches the end of the list. */
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

/** The smallest or largest id whose first 32 bits are this number. */
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
