import {
  type Caller,
  Id,
  saleLimits,
  NewSaleForm,
  offerings,
  Sale,
  SaleClosing,
  SaleList,
  SaleQuery,
  SaleWithKey,
} from '@stoa/contracts';
import { Bus } from '@stoa/messaging';
import { Body, Controller, Get, Header, Param, Post, Query } from '@nestjs/common';
import { CreatorRoute } from '../api/openapi.decorator.ts';
import { CurrentCaller } from '../auth/caller.decorator.ts';

const SaleId = Id.describe('A sale of the caller.');

@Controller('api/sales')
export class SalesController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @CreatorRoute(SaleWithKey, {
    summary: 'Adds a sale with a key of its own',
    description: `For a payment that the creator has received elsewhere. The key opens the download page of the offering. Refused with 409 above
${saleLimits.salesPerCreator} sales.`,
    status: 201,
    problems: [403, 404, 409],
    leadsTo: {
      'sales.close': { id: '$response.body#/sale/id' },
      'sales.replaceKey': { id: '$response.body#/sale/id' },
    },
  })
  // The response contains a delivery key, so it must not be cached.
  @Header('cache-control', 'no-store')
  add(@Body({ schema: NewSaleForm }) form: NewSaleForm, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.addSale, form, { caller });
  }

  @Get()
  @CreatorRoute(SaleList, {
    summary: "Lists the caller's sales",
    description:
      'The latest first, without their keys. Paginated: `nextCursor` of one response is `cursor` of the next request.',
  })
  list(@Query({ schema: SaleQuery }) query: SaleQuery, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.listSales, query, { caller });
  }

  @Post(':id/closing')
  @CreatorRoute(Sale, {
    summary: 'Closes a sale',
    description:
      'Its key stops working immediately. Keys of other sales are not affected. A refund or revocation is final. A dispute may end with one, or with a new key.',
    problems: [404],
  })
  close(
    @Param('id', { schema: SaleId }) id: string,
    @Body({ schema: SaleClosing }) closing: SaleClosing,
    @CurrentCaller() caller: Caller,
  ) {
    return this.bus.ask(offerings.closeSale, { id, ...closing }, { caller });
  }

  @Post(':id/key')
  @CreatorRoute(SaleWithKey, {
    summary: 'Replaces the key of a sale',
    description:
      'For a buyer who has lost the link, or whose key is used up. The old key stops working; uses and days start again. After a won dispute, it opens the sale again. Refused with 409 for a refunded or revoked sale.',
    problems: [404, 409],
  })
  @Header('cache-control', 'no-store')
  replaceKey(@Param('id', { schema: SaleId }) id: string, @CurrentCaller() caller: Caller) {
    return this.bus.ask(offerings.replaceSaleKey, { id }, { caller });
  }
}
