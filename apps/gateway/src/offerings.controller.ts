import { type Caller, Id, NewOfferingForm, Offering, OfferingForm, offerings } from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { CurrentCaller } from './auth/caller.decorator.ts';
import { CreatorRoute } from './openapi.decorator.ts';
import { FileResolver } from './file-resolver.ts';
import { PictureResolver } from './picture-resolver.ts';

@Controller('api/offerings')
export class OfferingsController {
  constructor(
    private readonly bus: Bus,
    private readonly pictures: PictureResolver,
    private readonly files: FileResolver,
  ) {}

  @Post()
  @CreatorRoute(Offering, { status: 201, problems: [409, 413] })
  async create(
    @Body({ schema: NewOfferingForm }) { coverImageId, fileId, ...form }: NewOfferingForm,
    @CurrentCaller() caller: Caller,
  ) {
    const coverImage = await this.pictures.resolve('coverImageId', coverImageId, caller);
    const file = await this.files.resolve(fileId, caller);
    return this.bus.ask(offerings.create, { ...form, coverImage, file }, { caller });
  }

  @Get(':id')
  @CreatorRoute(Offering, { problems: [403, 404] })
  read(@Param('id', { schema: Id }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.readOwn, { id }, { caller });
  }

  @Put(':id')
  @CreatorRoute(Offering, { problems: [403, 404, 413] })
  async update(
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: OfferingForm }) { coverImageId, fileId, ...form }: OfferingForm,
    @CurrentCaller() caller: Caller,
  ) {
    const coverImage = await this.pictures.resolve('coverImageId', coverImageId, caller);
    const file = await this.files.resolve(fileId, caller);
    return this.bus.ask(offerings.update, { id, ...form, coverImage, file }, { caller });
  }

  @Post(':id/delivery-key')
  @CreatorRoute(Offering, { problems: [403, 404] })
  rotateKey(@Param('id', { schema: Id }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.rotateKey, { id }, { caller });
  }

  @Delete(':id')
  @CreatorRoute(null, { status: 204, problems: [403, 404] })
  async remove(@Param('id', { schema: Id }) id: string, @CurrentCaller() caller: Caller) {
    await this.bus.ask(offerings.remove, { id }, { caller });
  }
}
