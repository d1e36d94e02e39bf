import {
  type Caller,
  CreatorName,
  creators,
  type DeliveredFile,
  Download,
  type DownloadFile,
  filesOf,
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
    summary: 'Reads what an offering delivers',
    description: `Opens to the offering's delivery key. To a signed-in caller without the key it says what the offering is and that
a key is needed; the owner needs none. \`mediaUrl\` works for minutes.`,
    problems: [404],
  })
  // What is in the answer opens the file to anybody who has it.
  @Header('cache-control', 'no-store')
  async read(
    @Param('creatorId', { schema: CreatorParam }) creatorId: string,
    @Param('offeringId', { schema: OfferingParam }) id: string,
    @DeliveryKey({ schema: PresentedKey }) key: PresentedKey,
    @CallerIfAny() caller: Caller | undefined,
  ) {
    const delivery = await this.bus.ask(offerings.download, { creatorId, id, key }, { caller });
    const [files, creator] = await Promise.all([
      Promise.all(filesOf(delivery).map((file) => this.#linked(file, creatorId))),
      // Who has paid gets the file, whether or not its creator can be named now.
      this.bus.ask(creators.findName, { uid: creatorId }).catch(() => null),
    ]);
    const there = files.filter((file) => file !== undefined);
    if (there.length === 0 && files.length > 0)
      throw new Refusal('not_found', 'The file is not there any more.');
    const [first] = there;
    return Download.parse({
      ...delivery,
      files: there,
      file: delivery.file && first ? { filename: first.filename, size: first.size } : delivery.file,
      mediaUrl: first?.mediaUrl ?? null,
      creator,
    });
  }

  @Get(':creatorId/:offeringId/seller')
  @Limited('api', 'download')
  @PublicRoute(CreatorName, {
    summary: 'Says whom to ask for a link that is lost',
    description: `The public name of the creator whose offering a download link is of, to whoever has the link without its key or with an
old one. 404 for an offering that was never public, and where the creator has no public profile.`,
    problems: [404],
  })
  @Header('cache-control', 'no-store')
  async seller(
    @Param('creatorId', { schema: CreatorParam }) creatorId: string,
    @Param('offeringId', { schema: OfferingParam }) id: string,
  ) {
    const { uid } = await this.bus.ask(offerings.findSeller, { creatorId, id });
    return this.bus.ask(creators.findName, { uid }).catch((error: unknown) => {
      // Not told apart from an offering that there is not: the words would say that there is one.
      throw error instanceof Refusal && error.code === 'not_found'
        ? new Refusal('not_found', 'Offering not found.')
        : error;
    });
  }

  /** Nothing of a file that is gone: it takes none of the others with it. */
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
