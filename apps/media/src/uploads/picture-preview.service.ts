import type { Caller, PicturePreview } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { CardStorageClient } from '../storage/card-storage.client.ts';
import { MediaRepository } from './media.repository.ts';

/** In pixels: enough to recognise a picture. */
const previewWidth = 640;
/** NATS limits an answer to 1 MB, and base64 makes the bytes a third longer. */
const mostBytes = 700_000;

/**
 * Shows withdrawn pictures to their owner and to operators, while the edge refuses them. The answer contains
 * the bytes, because a link could be published.
 */
@Injectable()
export class PicturePreviewService {
  constructor(
    private readonly uploads: MediaRepository,
    private readonly storage: CardStorageClient,
  ) {}

  async read(id: string, { uid, isOperator }: Caller): Promise<PicturePreview> {
    const upload = await this.uploads.find(id);
    const mayRead = upload?.uid === uid || (isOperator && upload?.isWithdrawn);
    if (!mayRead || upload?.outcome?.kind !== 'picture') throw pictureNotFound();
    const { path, widths } = upload.outcome.picture;
    const smallest = Math.min(...widths);
    const preferred = Math.max(smallest, ...widths.filter((width) => width <= previewWidth));
    for (const width of new Set([preferred, smallest])) {
      const bytes = await this.storage.find(`${path}/${width}.webp`);
      if (bytes && bytes.length <= mostBytes)
        return { url: `data:image/webp;base64,${bytes.toString('base64')}` };
    }
    throw pictureNotFound();
  }
}

function pictureNotFound(): Refusal {
  return new Refusal('not_found', 'Picture not found.');
}
