import { type Caller, Id, media, Picture, StoredFile, UploadGrant, UploadRequest } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';

// Re-encoding a large picture takes seconds, and so does moving a large file.
const checkingMs = 30_000;

@Controller('api/uploads')
export class UploadsController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(UploadGrant, { status: 201 })
  grant(@Body({ schema: UploadRequest }) request: UploadRequest, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.grant, request, { caller });
  }

  @Post(':id/complete')
  @CreatorRoute(Picture, { problems: [404, 413, 422] })
  complete(@Param('id', { schema: Id }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.complete, { id }, { caller, timeoutMs: checkingMs });
  }

  @Post(':id/complete-file')
  @CreatorRoute(StoredFile, { problems: [404, 413] })
  completeFile(@Param('id', { schema: Id }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(media.completeFile, { id }, { caller, timeoutMs: checkingMs });
  }
}
