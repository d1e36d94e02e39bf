import {
  type BrowseQuery,
  type CreatorCard,
  limits,
  type ProfileEntry,
  type PublicCreator,
} from '@stoa/contracts';
import { ReadPool } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CreatorsConfig } from './creators.config.ts';
import { decodePart, decodePosition, encodeCursor, partsOf, type Position, positionsOf } from './cursor.ts';
import {
  type Filter,
  filterOf,
  maxScannedRowsOfCount,
  publicStatements,
  maxScannedRows,
} from './public-creators.statements.ts';
import { readableNiches, readablePicture, readableProfile } from './readable-row.ts';
import { searchFor } from './search-text.ts';

/** A card with its bio, from which the preview is cut. */
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

/** After everybody: where the first page begins. */
const top: Position = {
  isComplete: true,
  createdAt: 'infinity',
  uid: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  totalIsExact: true,
};
// One in ten: from there on, counting in the order of the list gets to its end sooner than reading an index would.
const commonShare = 0.1;
// Of a million 3,000, which are looked at sooner than the index has told a tenth of all.
const rareShare = 0.003;
// Rows lie in the order of their writing, those of a part anywhere: each profile, and each of its offerings, is a page of its
// own to be read, 60 ms for a thousand. Forty times as many are let through, should the estimate be old.
export const profilesInPart = limits.sitemapPart / 40;

/** What visitors read: one prepared statement a question, by keys and bounded, however many creators there are. */
@Injectable()
export class PublicCreatorsRepository implements OnApplicationShutdown {
  private readonly pool: ReadPool;
  private readonly statements: ReturnType<typeof publicStatements>;

  constructor(config: CreatorsConfig) {
    this.pool = new ReadPool(config);
    this.statements = publicStatements(config.PUBLISH_NEEDS_PROOF);
  }

  /** The public profiles there are for these names. */
  async findMany(usernames: readonly string[]): Promise<PublicCreator[]> {
    const rows = await this.pool.query<PublicCreator>(this.statements.profiles, [usernames]);
    return rows.map((row) => ({ ...row, ...readableProfile(row) }));
  }

  /**
   * One page, complete profiles first, the newest first within. What is common is found by walking down the list, what
   * is rare by the index of words; neither is slow where the other is used.
   */
  async browse({ search = '', niche, cursor, limit }: BrowseQuery): Promise<Page> {
    const { words, isIndexed } = searchFor(search);
    const { filter, values } = filterOf(words, niche);
    const isUnfiltered = values.length === 0;
    const after = cursor ? decodePosition(cursor) : top;
    const from = [...values, after.isComplete, after.createdAt, after.uid, limit + 1];

    const signsOnly = words.length > 0 && !isIndexed;
    const most = signsOnly ? maxScannedRowsOfCount : maxScannedRows;
    const walked = await this.pool.query<CardRow>(this.statements.walk(filter, most), from);
    const isWhole = walked.length > limit || isUnfiltered || signsOnly;
    const rows = isWhole
      ? walked
      : await this.pool.query<CardRow>(await this.#lookUp(filter, niche, walked.length), from);

    const isCommon = isWhole && walked.length >= (walked.at(-1)?.place ?? 0) * commonShare;
    // A first page that holds everything has counted it, and one that the index was read for knows how much there is.
    const counted = cursor ? undefined : rows.length <= limit ? rows.length : rows[0]?.matches;
    const { total, totalIsExact } =
      known(after) ??
      (signsOnly
        ? await this.#countSigns(filter, values, counted)
        : counted === undefined
          ? await this.#count(filter, values, isCommon)
          : upToMost(counted));
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

  /** The profiles of one part of the sitemap, the first one unless `after` names another. */
  async listProfiles(after?: string): Promise<ProfileEntry[]> {
    const [first] = after ? [decodePart(after)] : await this.#parts();
    const { from, to } = first;
    const range = [idAt(from, '0'), idAt(to - 1, 'f')];
    return this.pool.query<ProfileEntry>(this.statements.part, [...range, limits.sitemapPart]);
  }

  /** The parts of the sitemap, where there are several: ranges of ids, which are spread evenly, so that no rows are counted. */
  async surveyProfiles(): Promise<string[]> {
    return positionsOf(await this.#parts());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  async #parts() {
    const [estimated] = await this.pool.query<{ rows: number }>(this.statements.estimate, []);
    return partsOf(estimated?.rows ?? 0, profilesInPart);
  }

  /**
   * How the index is asked. Of a common niche it would be read for as long as all the rest takes: where the rows that were
   * looked through say that the word is rare, the rows that have it are looked at one by one.
   */
  async #lookUp(filter: Filter, niche: string | undefined, walked: number) {
    if (filter.forms.length === 0 || niche === undefined) return this.statements.lookUp(filter);
    const [found] = await this.pool.query<{ share: number }>(this.statements.nicheShare, [niche]);
    const wordShare = (walked + 1) / maxScannedRows / (found?.share ?? 0);
    return this.statements.lookUp(filter, wordShare <= rareShare);
  }

  async #count(filter: Filter, values: readonly unknown[], isCommon: boolean): Promise<Total> {
    const first = await this.#countBy(values.length === 0 || isCommon ? 'walk' : 'index', filter, values);
    if (values.length === 0 || !isCommon || first > limits.countedMatches) return upToMost(first);
    // Common among the newest, and perhaps not beyond those that a walk looks through: the index knows all.
    return upToMost(await this.#countBy('index', filter, values));
  }

  /** No index knows signs: of a list that goes on behind what is looked through there may be more. */
  async #countSigns(filter: Filter, values: readonly unknown[], counted: number | undefined): Promise<Total> {
    const [count, listed] = await Promise.all([
      counted ?? this.#countBy('walk', filter, values),
      this.#countBy('walk', filterOf([], undefined).filter, [], maxScannedRowsOfCount),
    ]);
    const found = upToMost(count);
    return { ...found, totalIsExact: found.totalIsExact && listed <= maxScannedRowsOfCount };
  }

  async #countBy(
    by: 'walk' | 'index',
    filter: Filter,
    values: readonly unknown[],
    most: number = limits.countedMatches,
  ): Promise<number> {
    const statement = this.statements.count(filter, by);
    const [counted] = await this.pool.query<{ count: number }>(statement, [...values, most + 1]);
    return counted?.count ?? 0;
  }
}

/** The least or the greatest id that begins with this number. */
function idAt(number: number, rest: '0' | 'f'): string {
  const digits = number.toString(16).padStart(8, '0') + rest.repeat(24);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function upToMost(count: number): Total {
  return { total: Math.min(count, limits.countedMatches), totalIsExact: count <= limits.countedMatches };
}

function known({ total, totalIsExact }: Position): Total | undefined {
  return total === undefined ? undefined : { total, totalIsExact };
}
