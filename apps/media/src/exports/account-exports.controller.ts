import { type Input, media } from '@stoa/contracts';
import { type Call, Handles } from '@stoa/messaging';
import { Controller } from '@nestjs/common';
import { AccountExportService } from './account-export.service.ts';

@Controller()
export class AccountExportsController {
  constructor(private readonly exports: AccountExportService) {}

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
