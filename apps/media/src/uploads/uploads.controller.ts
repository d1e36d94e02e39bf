import { type Input, media } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { MediaService } from './media.service.ts';
import { PicturePreviewService } from './picture-preview.service.ts';

@Controller()
export class UploadsController {
  constructor(
    private readonly service: MediaService,
    private readonly previews: PicturePreviewService,
  ) {}

  @Handles(media.grant)
  grant(input: Input<typeof media.grant>, call: Call) {
    return this.service.grant(input, call);
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
}
