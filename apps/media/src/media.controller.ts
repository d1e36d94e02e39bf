import { type Input, media } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { AccountExportService } from './account-export.service.ts';
import { MediaService } from './media.service.ts';
import { PicturePreviewService } from './picture-preview.service.ts';
import { PreviewCardService } from './preview-card.service.ts';

@Controller()
export class MediaController {
  constructor(
    private readonly service: MediaService,
    private readonly exports: AccountExportService,
    private readonly cards: PreviewCardService,
    private readonly previews: PicturePreviewService,
  ) {}

  @Handles(media.grant)
  grant(input: Input<typeof media.grant>, call: Call) {
    return this.service.grant(input, call.caller);
  }

  @Handles(media.complete)
  complete({ id, kind = 'picture' }: Input<typeof media.complete>, call: Call) {
    return this.service.complete(id, kind, call.caller);
  }

  @Handles(media.abandon)
  abandon({ id }: Input<typeof media.abandon>, call: Call) {
    return this.service.abandon(id, call.caller);
  }

  @Handles(media.readRoom)
  readRoom(_: Input<typeof media.readRoom>, call: Call) {
    return this.service.readRoom(call.caller);
  }

  @Handles(media.resolve)
  resolve({ id, purpose }: Input<typeof media.resolve>, call: Call) {
    return this.service.resolve(id, purpose, call.caller);
  }

  @Handles(media.previewPicture)
  previewPicture({ id }: Input<typeof media.previewPicture>, call: Call) {
    return this.previews.read(id, call.caller);
  }

  @Handles(media.linkFile)
  linkFile({ id, uid }: Input<typeof media.linkFile>) {
    return this.service.linkFile(id, uid);
  }

  @Handles(media.drawCard)
  drawCard(card: Input<typeof media.drawCard>) {
    return this.cards.locate(card);
  }

  @Handles(media.startExport)
  startExport(_: Input<typeof media.startExport>, call: Call) {
    return this.exports.start(call);
  }

  @Handles(media.takeExport)
  takeExport() {
    return this.exports.take();
  }

  @Handles(media.addToExport)
  addToExport(part: Input<typeof media.addToExport>, call: Call) {
    return this.exports.add(part, call.caller);
  }

  @Handles(media.makeExport)
  makeExport(made: Input<typeof media.makeExport>, call: Call) {
    return this.exports.make(made, call.caller);
  }

  @Handles(media.readExport)
  readExport(_: Input<typeof media.readExport>, call: Call) {
    return this.exports.read(call.caller);
  }
}
