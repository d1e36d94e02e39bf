import { type Input, offerings } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { SalesService } from './sales.service.ts';

@Controller()
export class SalesController {
  constructor(private readonly service: SalesService) {}

  @Handles(offerings.addSale)
  add(input: Input<typeof offerings.addSale>, call: Call) {
    return this.service.add(input, call);
  }

  @Handles(offerings.listSales)
  list(input: Input<typeof offerings.listSales>, call: Call) {
    return this.service.list(input, call.caller);
  }

  @Handles(offerings.closeSale)
  close({ id, ...closing }: Input<typeof offerings.closeSale>, call: Call) {
    return this.service.close(id, closing, call.caller);
  }

  @Handles(offerings.replaceSaleKey)
  replaceKey({ id }: Input<typeof offerings.replaceSaleKey>, call: Call) {
    return this.service.replaceKey(id, call);
  }
}
