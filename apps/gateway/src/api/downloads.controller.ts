import {
  type Caller,
  CreatorName,
  creators,
  type DeliveredFile,
  Download,
  type DownloadFile,
  Id,
  media,
  offerings,
  PresentedKey,
} from '@stoa/contracts';
import { Bus, Refusal } from '@stoa/messaging';
import { Controller, Get, Header, Param } from '@nestjs/common';
import { CallerIfAny, DeliveryKey } from '../auth/caller.decorator.ts';
import { KeyRoute, PublicRoute } from './openapi.decorator.ts';
import { Limited } from '../http/rate-limits.ts';

const CreatorParam = Id.describe('The `uid` of the creator.');
const OfferingParam = Id.describe('An offering of that creator.');

@Controller('api/downloads')
export class DownloadsController {
  constructor(private readonly bus: Bus) {}

  @Get(':creatorId/:offeringId')
  @Limited('api', 'download')
  @KeyRoute(Download, {
    summary: 'Reads the content that an offering delivers',
    description: `Requires the offering's delivery key, or the key of a sale. A signed-in caller without the key gets only the description of the offering, and
\`keyNeeded\`. The owner needs no key. \`mediaUrl\` works for a few minutes.`,
    problems: [404],
  })
  // The response must not be cached, because its links open the files without a further check.
  @Header('cache-control', 'no-store')
  async read(
    @Param('creatorId', { schema: CreatorParam }) creatorId: string,
    @Param('offeringId', { schema: OfferingParam }) id: string,
    @DeliveryKey({ schema: PresentedKey }) key: PresentedKey,
    @CallerIfAny() caller: Caller | undefined,
  ) {
    const delivery = await this.bus.ask(offerings.download, { creatorId, id, key }, { caller });
    const [files, creator] = await Promise.all([
      Promise.all(delivery.files.map((file) => this.#linked(file, creatorId))),
      // Without the creators service the answer lacks the name, but buyers still get their files.
      this.bus.ask(creators.findName, { uid: creatorId }).catch(() => null),
    ]);
    const there = files.filter((file) => file !== undefined);
    if (there.length === 0 && files.length > 0)
      throw new Refusal('not_found', 'The file is not there any more.');
    return Download.parse({ ...delivery, files: there, mediaUrl: there[0]?.mediaUrl ?? null, creator });
  }

  @Get(':creatorId/:offeringId/seller')
  @Limited('api', 'download')
  @PublicRoute(CreatorName, {
    summary: 'Reads the seller behind a download link',
    description: `The public name of the offering's creator, for a buyer whose link has an old key or none. 404 for an offering that was
never public, and for a creator without a public profile.`,
    problems: [404],
  })
  @Header('cache-control', 'no-store')
  async seller(
    @Param('creatorId', { schema: CreatorParam }) creatorId: string,
    @Param('offeringId', { schema: OfferingParam }) id: string,
  ) {
    const { uid } = await this.bus.ask(offerings.findSeller, { creatorId, id });
    return this.bus.ask(creators.findName, { uid }).catch((error: unknown) => {
      // A missing creator causes the same error as a missing offering, so that it does not reveal whether the offering exists.
      throw error instanceof Refusal && error.code === 'not_found'
        ? new Refusal('not_found', 'Offering not found.')
        : error;
    });
  }

  /** The file with its link; undefined if the file was deleted, so that the buyer still gets the others. */
  async #linked(file: DeliveredFile, uid: string): Promise<DownloadFile | undefined> {
    try {
      const { url } = await this.bus.ask(media.linkFile, { id: file.id, uid });
      return { ...file, mediaUrl: url };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
